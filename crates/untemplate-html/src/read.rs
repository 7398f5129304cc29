//! Bytes to a tree: the charset, then the parser.

use crate::charset::{ToldBy, decode};
use crate::dom::Dom;
use crate::parser::{ParseOptions, parse_html};
use crate::problem::Problem;

/// What the bytes of a page hold.
#[derive(Debug, Clone)]
pub struct Html {
    /// The tree.
    pub dom: Dom,
    /// The encoding that the bytes were read in, by its name in the Encoding standard.
    pub encoding: &'static str,
    /// Who named that encoding.
    pub encoding_told_by: ToldBy,
    /// What was odd: bytes that are no text in that encoding, limits that were met.
    pub problems: Vec<Problem>,
}

/// Reads the bytes of a page. It is total: any bytes give a tree with `html`, `head` and `body`.
///
/// `content_type` is the value of the `Content-Type` header, where there was one; its `charset`
/// wins over what the page declares.
///
/// ```
/// use untemplate_html::{ParseOptions, ToldBy, read_html};
/// let html = read_html(b"<meta charset=iso-8859-2><p>\xB9", None, &ParseOptions::default());
/// assert_eq!((html.encoding, html.encoding_told_by), ("ISO-8859-2", ToldBy::Declaration));
/// assert_eq!(html.dom.visible_text(untemplate_html::NodeId::DOCUMENT), "š");
/// ```
pub fn read_html(bytes: &[u8], content_type: Option<&str>, options: &ParseOptions) -> Html {
    let decoded = decode(bytes, content_type);
    let (dom, parse_problems) = parse_html(&decoded.text, options);
    Html {
        dom,
        encoding: decoded.encoding,
        encoding_told_by: decoded.told_by,
        problems: decoded.problem.into_iter().chain(parse_problems).collect(),
    }
}
