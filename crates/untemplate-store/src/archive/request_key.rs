//! What makes a request the same as another, and how it is ordered: the same on every database.

use untemplate::page::{Method, Request};

use super::ContentHash;
use super::known_keys::Key;

/// What makes a request the same as another: its method, its address without fragment, and its
/// body.
pub(super) fn key(request: &Request) -> Key {
    ContentHash::of_pieces(&[
        &[method_number(request.method)],
        address(request).as_bytes(),
        &request.body,
    ])
    .short()
}

/// The address as it is asked for: no server ever sees a fragment.
pub(super) fn address(request: &Request) -> &str {
    let url = request.url.as_str();
    url.split_once('#').map_or(url, |(address, _)| address)
}

/// A method as databases keep it.
pub(super) fn method_number(method: Method) -> u8 {
    match method {
        Method::Get => 0,
        Method::Post => 1,
    }
}

/// The method that a database kept.
pub(super) fn method_of(number: i64) -> Option<Method> {
    match number {
        0 => Some(Method::Get),
        1 => Some(Method::Post),
        _ => None,
    }
}

/// Databases do not agree on where to put what is no number; it comes last.
pub(super) fn ordered(priority: f64) -> f64 {
    if priority.is_nan() { f64::MIN } else { priority }
}
