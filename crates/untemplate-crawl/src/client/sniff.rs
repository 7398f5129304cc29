//! Sniffing: what a body is, by what the server says and by what it looks like.
//!
//! A cautious cut of the WHATWG's MIME sniffing: what bytes prove beats what the server says, what
//! it says beats what the bytes suggest, and plain text stays plain text.

/// What kind of content a body is, as far as a crawler cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ContentKind {
    /// A page.
    Html,
    /// XML that is no page: a feed, a sitemap.
    Xml,
    /// A PDF document.
    Pdf,
    /// A picture.
    Image,
    /// Anything else.
    Other,
}

/// The kind of a body whose server called it `content_type`.
pub fn sniff(body: &[u8], content_type: Option<&str>) -> ContentKind {
    let essence = content_type.map(essence).unwrap_or_default();
    let prefix = readable_prefix(body);
    if let Some(kind) = proven_kind(body) {
        return kind;
    }
    match essence.as_str() {
        "text/html" | "text/xml" | "application/xml" => markup_kind(&prefix).unwrap_or(match essence.as_str() {
            "text/html" => ContentKind::Html,
            _ => ContentKind::Xml,
        }),
        "application/xhtml+xml" => ContentKind::Html,
        "application/pdf" => ContentKind::Pdf,
        _ if essence.starts_with("image/") => ContentKind::Image,
        _ if essence.ends_with("+xml") => ContentKind::Xml,
        "" | "*/*" | "unknown/unknown" | "application/unknown" => suggested_kind(&prefix),
        _ => ContentKind::Other,
    }
}

/// `Text/HTML; charset=x` is `text/html`; what is no MIME type is nothing.
fn essence(content_type: &str) -> String {
    let essence = content_type.split([';', ',']).next().unwrap_or_default().trim();
    let is_type = essence.len() < 128 && essence.contains('/');
    if is_type {
        essence.to_ascii_lowercase()
    } else {
        String::new()
    }
}

/// What the first bytes prove.
fn proven_kind(body: &[u8]) -> Option<ContentKind> {
    const IMAGES: [&[u8]; 7] = [
        b"\x89PNG\r\n\x1a\n",
        b"GIF87a",
        b"GIF89a",
        b"\xff\xd8\xff",
        b"II*\0",
        b"MM\0*",
        b"\0\0\x01\0",
    ];
    const PACKED: [&[u8]; 3] = [b"PK\x03\x04", b"\x1f\x8b", b"wOFF"];
    let begins_like_one_of = |magics: &[&[u8]]| magics.iter().any(|magic| body.starts_with(magic));
    let is_webp = body.starts_with(b"RIFF") && body.get(8..12) == Some(b"WEBP");
    if body.starts_with(b"%PDF-") {
        Some(ContentKind::Pdf)
    } else if is_webp || begins_like_one_of(&IMAGES) {
        Some(ContentKind::Image)
    } else {
        begins_like_one_of(&PACKED).then_some(ContentKind::Other)
    }
}

/// How much of a body is looked at.
const PREFIX_BYTES: usize = 2048;

/// The begin of the body in lower case, without byte order mark; UTF-16 is read as if it were
/// ASCII.
fn readable_prefix(body: &[u8]) -> Vec<u8> {
    let prefix = &body[..body.len().min(PREFIX_BYTES)];
    let is_wide = prefix.starts_with(b"\xff\xfe") || prefix.starts_with(b"\xfe\xff");
    let text = if is_wide { &prefix[2..] } else { prefix };
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let is_kept = |byte: &&u8| !is_wide || **byte != 0;
    text.iter().filter(is_kept).map(u8::to_ascii_lowercase).collect()
}

/// What markup the text begins with, when its root says so: pages and XML are mistaken for each
/// other all the time.
fn markup_kind(prefix: &[u8]) -> Option<ContentKind> {
    let root = skip_prologue(prefix);
    if starts_with_tag(root, b"!doctype html") || starts_with_tag(root, b"html") {
        return Some(ContentKind::Html);
    }
    const XML_ROOTS: [&[u8]; 6] = [b"rss", b"feed", b"urlset", b"sitemapindex", b"rdf:rdf", b"opml"];
    if XML_ROOTS.iter().any(|name| starts_with_tag(root, name)) {
        return Some(ContentKind::Xml);
    }
    starts_with_tag(root, b"svg").then_some(ContentKind::Image)
}

/// What a text of unknown type seems to be.
fn suggested_kind(prefix: &[u8]) -> ContentKind {
    const HTML_TAGS: [&[u8]; 16] = [
        b"head", b"script", b"iframe", b"h1", b"div", b"font", b"table", b"a", b"style", b"title", b"b", b"body",
        b"br", b"p", b"meta", b"link",
    ];
    if let Some(kind) = markup_kind(prefix) {
        return kind;
    }
    let root = skip_prologue(prefix);
    if HTML_TAGS.iter().any(|name| starts_with_tag(root, name)) {
        return ContentKind::Html;
    }
    let is_xml = prefix.trim_ascii_start().starts_with(b"<?xml");
    if is_xml { ContentKind::Xml } else { ContentKind::Other }
}

/// The text behind white space, comments and processing instructions.
fn skip_prologue(text: &[u8]) -> &[u8] {
    let mut rest = text.trim_ascii_start();
    loop {
        let end: &[u8] = match rest {
            _ if rest.starts_with(b"<!--") => b"-->",
            _ if rest.starts_with(b"<?") => b"?>",
            _ => return rest,
        };
        let Some(at) = rest.windows(end.len()).position(|window| window == end) else {
            return &[];
        };
        rest = rest[at + end.len()..].trim_ascii_start();
    }
}

/// Whether the text opens this tag, and not one whose name merely begins like it.
fn starts_with_tag(text: &[u8], name: &[u8]) -> bool {
    let after = text.strip_prefix(b"<").and_then(|text| text.strip_prefix(name));
    after.is_some_and(|after| {
        after
            .first()
            .is_none_or(|byte| matches!(byte, b'>' | b'/' | b' ' | b'\t' | b'\r' | b'\n' | 0x0c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content_type: &str, bodies: &[&[u8]], expected: ContentKind) {
        let content_type = (content_type != "none").then_some(content_type);
        for body in bodies {
            let shown = String::from_utf8_lossy(body);
            assert_eq!(sniff(body, content_type), expected, "{content_type:?} {shown}");
        }
    }

    #[test]
    fn servers_are_believed() {
        check(
            "text/html; charset=x",
            &[b"", b"Hello", b"{}", b"<x>"],
            ContentKind::Html,
        );
        check(
            "application/xhtml+xml",
            &[b"<?xml version='1.0'?><x/>"],
            ContentKind::Html,
        );
        check("application/rss+xml", &[b"<rss/>", b""], ContentKind::Xml);
        check("TEXT/XML", &[b"<data/>", b""], ContentKind::Xml);
        check("image/svg+xml", &[b"<svg/>"], ContentKind::Image);
        check("application/pdf", &[b""], ContentKind::Pdf);
        check("text/plain", &[b"<!doctype html>", b"x"], ContentKind::Other);
        check("application/json", &[b"<html>"], ContentKind::Other);
    }

    #[test]
    fn bytes_prove_otherwise() {
        check("text/html", &[b"%PDF-1.7"], ContentKind::Pdf);
        check(
            "text/html",
            &[b"\x89PNG\r\n\x1a\n...", b"GIF89a", b"\xff\xd8\xff\xe0"],
            ContentKind::Image,
        );
        check("text/html", &[b"RIFF....WEBPVP8 "], ContentKind::Image);
        check("text/html", &[b"PK\x03\x04"], ContentKind::Other);
        check(
            "text/html",
            &[b"<?xml version='1.0'?>\n<rss version='2.0'>"],
            ContentKind::Xml,
        );
        check(
            "text/html",
            &[b"<urlset xmlns='x'>", b"<!-- x --><feed>"],
            ContentKind::Xml,
        );
        check(
            "text/xml",
            &[b"<?xml version='1.0'?><!DOCTYPE html PUBLIC>"],
            ContentKind::Html,
        );
        check("application/xml", &[b"<html xmlns='x'>"], ContentKind::Html);
    }

    #[test]
    fn nobody_says() {
        for content_type in ["none", "*/*", "nonsense", ""] {
            let pages: [&[u8]; 6] = [
                b"\xef\xbb\xbf <!DOCTYPE html>",
                b"<!-- c --> <TABLE x>",
                b"<p",
                b"\xff\xfe<\0h\0t\0m\0l\0>\0",
                b"\xfe\xff\0<\0h\0t\0m\0l\0>",
                b"<?xml version='1.0'?><body>",
            ];
            check(content_type, &pages, ContentKind::Html);
            check(
                content_type,
                &[b"<?xml version='1.0'?><data/>", b"<sitemapindex>"],
                ContentKind::Xml,
            );
            check(
                content_type,
                &[b"", b"Hello", b"<product>", b"<!-- never ended", b"\0\xff"],
                ContentKind::Other,
            );
        }
    }
}
