//! Content types of files, by the ending of their names.
//!
//! Enough to tell pages from what is surely none. A page's type names no charset: the page itself
//! knows better. An unknown ending has no type, and whoever reads the content finds out.

/// The content type of a file called `name`, where its ending tells.
pub(super) fn content_type(name: &[u8]) -> Option<&'static str> {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    let name = name.rsplit('/').next().unwrap_or_default();
    // A query that is part of the file's name says nothing about its content.
    let name = name.split('?').next().unwrap_or_default();
    let Some((_, ending)) = name.rsplit_once('.') else {
        return Some("text/html");
    };
    Some(match ending {
        "html" | "htm" => "text/html",
        "xhtml" | "xht" => "application/xhtml+xml",
        "xml" => "application/xml",
        "rss" => "application/rss+xml",
        "atom" => "application/atom+xml",
        "txt" => "text/plain",
        "md" => "text/markdown",
        "csv" => "text/csv",
        "css" => "text/css",
        "js" | "mjs" => "text/javascript",
        "json" | "map" => "application/json",
        "pdf" => "application/pdf",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "svg" => "image/svg+xml",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "ttf" => "font/ttf",
        "eot" => "application/vnd.ms-fontobject",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "wav" => "audio/wav",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "zip" => "application/zip",
        "jar" => "application/java-archive",
        "class" => "application/java-vm",
        "gz" => "application/gzip",
        "bz2" => "application/x-bzip2",
        "xz" => "application/x-xz",
        "tar" => "application/x-tar",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_type(name: &str, expected: Option<&str>) {
        assert_eq!(content_type(name.as_bytes()), expected, "{name}");
    }

    #[test]
    fn endings_tell() {
        check_type("a/index.html", Some("text/html"));
        check_type("v1.2/about", Some("text/html"));
        check_type("A.HTM", Some("text/html"));
        check_type("list.html?page=2.png", Some("text/html"));
        check_type("logo.png?v=3", Some("image/png"));
        check_type("page.php?id=3", None);
        check_type("feed.xml", Some("application/xml"));
    }
}
