//! Cookie files: what browsers and other programs export, a cookie a line, as Netscape wrote them.
//!
//! In: such a file. Out: the same cookies as [`super::ClientOptions::saved_cookies`] has them, and
//! how many have ended by now. A line has seven fields with tabs between them: domain, whether
//! hosts below it get the cookie, path, whether it is for https alone, when it ends in seconds,
//! name and value. `#HttpOnly_` before a domain is no comment.

use untemplate_store::UnixMillis;

/// The cookies of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NetscapeCookies {
    /// The cookies as text for [`super::ClientOptions::saved_cookies`].
    pub saved: String,
    /// How many there are.
    pub n_cookies: usize,
    /// How many more there were that have ended.
    pub n_ended: usize,
}

/// The line of a file that is no cookie.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is no cookie of the Netscape format: it has {fields} fields with tabs between them instead of 7")]
pub struct NotACookie {
    /// Counted from 1.
    pub line: usize,
    /// What it has.
    pub fields: usize,
}

/// Reads a cookie file.
pub fn read_netscape_cookies(text: &str, now: UnixMillis) -> Result<NetscapeCookies, NotACookie> {
    let mut read = NetscapeCookies::default();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.strip_prefix("#HttpOnly_").unwrap_or(line);
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let [domain, below, path, secure, ends, name, value] = fields[..] else {
            let (line, fields) = (index + 1, fields.len());
            return Err(NotACookie { line, fields });
        };
        let is_true = |text: &str| text.eq_ignore_ascii_case("TRUE");
        // Browsers write fractions of seconds now and then; 0 is the end of a session, which is
        // ours.
        let ends_ms = ends.parse::<f64>().map_or(0, |seconds| (seconds * 1_000.0) as i64);
        if ends_ms > 0 && ends_ms <= now.0 {
            read.n_ended += 1;
            continue;
        }
        let scope = if is_true(below) { "domain" } else { "host" };
        let secure = if is_true(secure) { "secure" } else { "plain" };
        let expires = if ends_ms > 0 {
            ends_ms.to_string()
        } else {
            "never".to_owned()
        };
        let domain = domain.trim_start_matches('.').to_ascii_lowercase();
        let line = format!("{domain}\t{scope}\t{path}\t{secure}\t{expires}\t{name}\t{value}\n");
        read.saved.push_str(&line);
        read.n_cookies += 1;
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::super::cookie_jar::CookieJar;
    use super::*;

    const NOW: UnixMillis = UnixMillis(1_700_000_000_000);

    #[test]
    fn cookies_go_to_whom_they_are_for() {
        let file = "# Netscape HTTP Cookie File\n\n\
            .shop.example\tTRUE\t/\tFALSE\t0\tsession\tabc=\n\
            #HttpOnly_www.shop.example\tFALSE\t/my\tTRUE\t1900000000\tid\t7\n\
            shop.example\tFALSE\t/\tFALSE\t1600000000\told\tgone\n";
        let read = read_netscape_cookies(file, NOW).expect("a good file");
        assert_eq!((read.n_cookies, read.n_ended), (2, 1));
        let jar = CookieJar::of_text(&read.saved);
        let header = |url: &str| jar.header(&Url::parse(url).expect("an address"), NOW);
        assert_eq!(header("http://www.shop.example/"), Some("session=abc=".to_owned()));
        assert_eq!(
            header("https://www.shop.example/my/x"),
            Some("id=7; session=abc=".to_owned())
        );
        assert_eq!(header("http://other.example/"), None);
    }

    #[test]
    fn what_is_no_cookie_is_named() {
        let wrong = read_netscape_cookies("# x\nsession=abc\n", NOW).expect_err("no cookie");
        assert_eq!(wrong, NotACookie { line: 2, fields: 1 });
    }
}
