//! Texts and figures as people read them.

use std::fmt::Write;

use maud::{Escaper, Markup, html};

/// A number with its thousands apart.
pub fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            // Narrow and unbreakable: points and commas mean different things in different
            // languages.
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 row`, `2 rows`.
pub fn counted(count: usize, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {word}{plural}", number(count as u64))
}

/// A share in percent; no part is ever rounded to none or to all.
pub fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    let share = part as f64 * 100.0 / whole as f64;
    match (part, share) {
        // The blank is one that no line ends at.
        (0, _) => "0\u{a0}%".to_owned(),
        (_, share) if share < 1.0 => "<\u{a0}1\u{a0}%".to_owned(),
        (part, share) if share > 99.0 && part < whole => ">\u{a0}99\u{a0}%".to_owned(),
        (_, share) => format!("{share:.0}\u{a0}%"),
    }
}

/// Text cut to a length, with a mark where it was.
pub fn cut(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// A value as a page shows it: cut, and an address as a link, by its path.
pub fn shown_value(value: &str, most: usize) -> Markup {
    let rest = value.strip_prefix("http://").or_else(|| value.strip_prefix("https://"));
    let Some(rest) = rest else {
        return html! { (cut(value, most)) };
    };
    let path = rest.find('/').map_or("", |slash| &rest[slash..]);
    let shown = if path.len() > 1 { path } else { value };
    html! { a href=(value) rel="noreferrer nofollow" { (cut(shown, most)) } }
}

/// Writes text that is only text, inside an element or a quoted attribute, for pages whose elements
/// are known only at run time. Control characters become blanks, since no page may have them.
pub fn push_escaped(text: &str, html: &mut String) {
    let is_odd = |c: char| c.is_control() && c != '\n' && c != '\t';
    let mut escaper = Escaper::new(html);
    for (index, part) in text.split(is_odd).enumerate() {
        let blank = if index > 0 { " " } else { "" };
        write!(escaper, "{blank}{part}").expect("a string takes all");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use untemplate::page::{ParseOptions, parse_html};

    #[test]
    fn figures_are_legible() {
        assert_eq!(
            [number(0), number(999), number(1_000), number(1_234_567)],
            ["0", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]
        );
        assert_eq!([counted(1, "row"), counted(2, "row")], ["1 row", "2 rows"]);
        assert_eq!(
            [percent(1, 1000), percent(999, 1000), percent(1, 2), percent(0, 0)],
            ["<\u{a0}1\u{a0}%", ">\u{a0}99\u{a0}%", "50\u{a0}%", "–"]
        );
        assert_eq!([cut("lamp", 4), cut("lamps", 4)], ["lamp", "lam…"]);
    }

    #[test]
    fn addresses_are_links_and_texts_are_not() {
        let link = shown_value("http://a.example/x?a=\"<b>", 40).into_string();
        assert_eq!(
            link,
            "<a href=\"http://a.example/x?a=&quot;&lt;b&gt;\" rel=\"noreferrer nofollow\">/x?a=&quot;&lt;b&gt;</a>"
        );
        assert_eq!(shown_value("javascript:x()", 40).into_string(), "javascript:x()");
    }

    #[test]
    fn what_is_escaped_reads_back_as_text() {
        let mut html = "<pre>x".to_owned();
        push_escaped("a<b>&\"c\"\n\u{7}</p>", &mut html);
        let (dom, _) = parse_html(&(html + "</pre>"), &ParseOptions::default());
        let last = dom.nodes().last().expect("the page has nodes");
        assert_eq!(dom.text(last), "xa<b>&\"c\"\n </p>");
    }
}
