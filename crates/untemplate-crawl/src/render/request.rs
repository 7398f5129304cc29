//! What a page asks for while it is rendered, and what it is given.
//!
//! Scripts and the data that they ask for come from the page source. Styles and images change neither links nor text, but a
//! page may wait for them or remove what fails: they get an empty one. Frames, fonts, media and messages home get nothing.

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
}

impl Asked {
    /// Reads the browser's event, which came from a page at this address whose main frame is this one.
    pub(super) fn read(parameters: &Value, page: &Url, main_frame: &str) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
        let request = read_request(&parameters["request"]);
        let is_main = parameters["frameId"].as_str() == Some(main_frame);
        let treatment = match (&request, parameters["resourceType"].as_str().unwrap_or("")) {
            (None, _) => Treatment::Refused,
            (Some(_), "Document") if is_main => Treatment::Document,
            (Some(_), "Script") => Treatment::Source,
            // A script must not read what other sites answer: without their headers we cannot know whether they allow it.
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
            body: request["postData"].as_str().unwrap_or("").as_bytes().to_vec(),
        }),
        _ => None,
    }
}

/// The parameters of `Fetch.fulfillRequest` for a source's answer. Only the page's own site is answered for data, so any origin may read it.
pub(super) fn fulfilment(id: &str, response: &Response, page: &Url) -> Value {
    let content_type = response.content_type.as_deref().unwrap_or("text/html");
    fulfil(id, response.status, content_type, &response.body, page)
}

/// The parameters for an answer that no source gives.
pub(super) fn stand_in(id: &str, treatment: Treatment, page: &Url) -> Option<Value> {
    match treatment {
        Treatment::EmptyStyle => Some(fulfil(id, 200, "text/css", b"", page)),
        Treatment::Pixel => Some(fulfil(id, 200, "image/gif", PIXEL, page)),
        Treatment::Document | Treatment::Source | Treatment::Refused => None,
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
