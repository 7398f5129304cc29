//! Text inside mark-up that the program writes itself: reports, drawings, outlined pages.

/// Text that is only text, inside an element or a quoted attribute. Characters that no page may have become blanks.
pub fn escaped_markup(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ParseOptions, parse_html};

    #[test]
    fn what_is_escaped_reads_back_as_text() {
        let text = "a<b>&\"c\"\n\u{7}</p>";
        let (dom, _) = parse_html(
            &format!("<pre>x{}</pre>", escaped_markup(text)),
            &ParseOptions::default(),
        );
        let last = dom.nodes().last().expect("the page has nodes");
        assert_eq!(dom.text(last), "xa<b>&\"c\"\n </p>");
    }
}
