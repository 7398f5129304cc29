//! Answers: what came back for one request, before anyone looked at it.

use std::net::SocketAddr;

use untemplate::page::Problem;
use url::Url;

use super::sniff::{ContentKind, sniff};

/// What a server answered to one request. A redirect, an error and "not modified" are answers like
/// any other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The address that was asked.
    pub url: Url,
    /// The HTTP status.
    pub status: u16,
    /// The version that was spoken, as archives write it: `HTTP/1.1`.
    pub version: &'static str,
    /// The headers as they came, names in lower case. `content-encoding` and `content-length` tell
    /// of the body on its way, not of `body`.
    pub headers: Vec<(String, String)>,
    /// The content with all encodings undone.
    pub body: Vec<u8>,
    /// Whether the body is all that the server had to say; otherwise a problem tells why.
    pub is_whole: bool,
    /// What was odd about it.
    pub problems: Vec<Problem>,
    /// Bytes of the body on its way, with its encodings.
    pub wire_bytes: u64,
    /// Time until the head was there, connecting included.
    pub first_byte_ms: u64,
    /// Time until all was there.
    pub total_ms: u64,
    /// Who answered: the server, or the proxy that was asked instead.
    pub address: Option<SocketAddr>,
}

impl Answer {
    /// The first header of this name, which is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.header_values(name).next()
    }

    /// All headers of this name, which is in lower case.
    pub fn header_values<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        let headers = self.headers.iter().filter(move |(key, _)| key == name);
        headers.map(|(_, value)| value.as_str())
    }

    /// What kind of content the body is.
    pub fn kind(&self) -> ContentKind {
        sniff(&self.body, self.header("content-type"))
    }
}
