//! What a page asks for while it is rendered, and what it is given.
//!
//! Scripts and the data that they ask for come from the page source. Styles and images change
//! neither links nor text, but a page may wait for them or remove what fails: they get an empty
//! one. Frames, fonts, media and messages home get nothing.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use untemplate::page::{Method, Request, Response, SiteScope, same_site};
use url::Url;

/// The smallest image there is: one transparent pixel, as GIF.
const PIXEL: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

/// One request that waits for an answer in the browser.
#[derive(Debug)]
pub(super) struct Asked {
    /// The browser's name for it.
    pub id: String,
    /// What is asked for; `None` when it is not of the web.
    pub request: Option<Request>,
    /// How it is to be answered.
    pub treatment: Treatment,
}

/// How a request of a page is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Treatment {
    /// It asks for the page itself, or for one that stands in its place.
    Document,
    /// By the page source.
    Source,
    /// With an empty style sheet.
    EmptyStyle,
    /// With one transparent pixel.
    Pixel,
    /// Not at all.
    Refused,
    /// Not at all, since no source can be asked for it; the page may lack something.
    Unable,
}

impl Asked {
    /// Reads the browser's event, which came from a page at this address whose main frame is this
    /// one.
    pub(super) fn read(parameters: &Value, page: &Url, main_frame: &str) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
        let request = read_request(&parameters["request"]);
        let is_main = parameters["frameId"].as_str() == Some(main_frame);
        let treatment = match (&request, parameters["resourceType"].as_str().unwrap_or("")) {
            (None, "XHR" | "Fetch") => Treatment::Unable,
            (None, _) => Treatment::Refused,
            (Some(_), "Document") if is_main => Treatment::Document,
            (Some(_), "Script") => Treatment::Source,
            // A script must not read what other sites answer: without their headers we cannot know
            // whether they allow it.
            (Some(request), "XHR" | "Fetch") if same_site(&request.url, page, SiteScope::Domain) => Treatment::Source,
            (Some(_), "Stylesheet") => Treatment::EmptyStyle,
            (Some(_), "Image") => Treatment::Pixel,
            _ => Treatment::Refused,
        };
        let id = text(&parameters["requestId"]);
        Self { id, request, treatment }
    }
}

fn read_request(request: &Value) -> Option<Request> {
    let mut url = Url::parse(request["url"].as_str()?).ok()?;
    url.set_fragment(None);
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    match request["method"].as_str()? {
        "GET" => Some(Request::get(url)),
        "POST" => Some(Request {
            method: Method::Post,
            url,
            body: form_data(request)?,
        }),
        _ => None,
    }
}

/// The body of a request that sends a form, as all our requests with a body do; `None` when it
/// sends something else, or the browser keeps it to itself.
fn form_data(request: &Value) -> Option<Vec<u8>> {
    let data = request["postData"].as_str();
    if data.is_none() && request["hasPostData"] == json!(true) {
        return None;
    }
    let data = data.unwrap_or("");
    let headers = request["headers"].as_object()?;
    let kind = headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("content-type"))
        .and_then(|(_, kind)| kind.as_str())
        .unwrap_or("");
    let is_form = kind
        .to_ascii_lowercase()
        .starts_with("application/x-www-form-urlencoded");
    (is_form || data.is_empty()).then(|| data.as_bytes().to_vec())
}

/// The parameters for a document of the tab. What was taken for a page is shown as one, whatever
/// its server calls it.
pub(super) fn document_fulfilment(id: &str, response: &Response) -> Value {
    let named = response.content_type.as_deref().unwrap_or("");
    let charset = named.split(';').skip(1).find(|parameter| {
        let name = parameter.split('=').next().unwrap_or("");
        name.trim().eq_ignore_ascii_case("charset")
    });
    let content_type = match charset {
        _ if !response.is_html() => named.to_owned(),
        Some(charset) => format!("text/html; {}", charset.trim()),
        None => "text/html".to_owned(),
    };
    fulfil(id, response.status, &content_type, &response.body, &response.url)
}

/// The parameters of `Fetch.fulfillRequest` for a source's answer. Only the page's own site is
/// answered for data, so any origin may read it.
pub(super) fn fulfilment(id: &str, response: &Response, page: &Url) -> Value {
    let content_type = response.content_type.as_deref().unwrap_or("text/html");
    fulfil(id, response.status, content_type, &response.body, page)
}

/// The parameters for an answer that no source gives.
pub(super) fn stand_in(id: &str, treatment: Treatment, page: &Url) -> Option<Value> {
    match treatment {
        Treatment::EmptyStyle => Some(fulfil(id, 200, "text/css", b"", page)),
        Treatment::Pixel => Some(fulfil(id, 200, "image/gif", PIXEL, page)),
        Treatment::Document | Treatment::Source | Treatment::Refused | Treatment::Unable => None,
    }
}

fn fulfil(id: &str, status: u16, content_type: &str, body: &[u8], page: &Url) -> Value {
    let header = |name: &str, value: &str| json!({ "name": name, "value": value });
    json!({
        "requestId": id,
        "responseCode": if (200..600).contains(&status) { status } else { 200 },
        "responseHeaders": [
            header("Content-Type", content_type),
            header("Access-Control-Allow-Origin", &page.origin().ascii_serialization()),
            header("Access-Control-Allow-Credentials", "true"),
        ],
        "body": STANDARD.encode(body),
    })
}
