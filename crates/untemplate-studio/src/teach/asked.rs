//! What a view's address or a form says: names and values, some of them more than once.

use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use url::form_urlencoded;

/// The most bytes that a form may have.
const BYTES_MAX: usize = 1 << 20;

/// Names and values, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked(pub Vec<(String, String)>);

impl Asked {
    /// Reads a query, or a form's content.
    pub fn read(text: &[u8]) -> Self {
        Self(form_urlencoded::parse(text).into_owned().collect())
    }

    /// The value of a name; empty when it is not there.
    pub fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(its, _)| its == name);
        found.map_or("", |(_, value)| value.as_str())
    }

    /// Whether a name is there with something in it.
    pub fn has(&self, name: &str) -> bool {
        !self.get(name).is_empty()
    }

    /// All values of a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0
            .iter()
            .filter(move |(its, _)| its == name)
            .map(|(_, value)| value.as_str())
    }

    /// The number that a name has; 0 when it has none.
    pub fn number(&self, name: &str) -> usize {
        self.get(name).parse().unwrap_or(0)
    }
}

/// A query made of names and values.
pub fn query(pairs: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(pairs);
    query.finish()
}

impl<S: Send + Sync> FromRequest<S> for Asked {
    type Rejection = StatusCode;

    async fn from_request(request: Request, _: &S) -> Result<Self, StatusCode> {
        if request.method() == axum::http::Method::GET {
            return Ok(Self::read(request.uri().query().unwrap_or("").as_bytes()));
        }
        let body = to_bytes(request.into_body(), BYTES_MAX).await;
        body.map(|body| Self::read(&body))
            .map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)
    }
}
