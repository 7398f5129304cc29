//! Style sheets whose addresses lead through us.
//!
//! `url(…)` and `@import "…"` are found as a browser's tokenizer would find them, comments and
//! strings aside, and get the address that stands for them here. What is written so oddly that this
//! pass does not see it keeps its address, and the frame's policy lets nothing load from there.

/// A style sheet with each address replaced by what `place` makes of it; addresses that it has
/// nothing for become empty.
pub fn rewrite_style(text: &str, place: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut rest = text;
    let mut is_import = false;
    while let Some(first) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
            out.push(' ');
        } else if starts_with_word(rest, "url(") && !ends_in_name(&out) {
            let (address, after) = read_url(&rest[4..]);
            push_url(&mut out, &address, place);
            rest = after;
            is_import = false;
        } else if starts_with_word(rest, "@import") {
            out.push_str("@import");
            rest = &rest[7..];
            is_import = true;
        } else if first == '"' || first == '\'' {
            let (string, after) = read_string(&rest[1..], first);
            if is_import {
                push_url(&mut out, &unescaped(string), place);
            } else {
                // A string stays one: what would end it early is closed here.
                out.extend([first.to_string().as_str(), string, first.to_string().as_str()]);
            }
            rest = after;
            is_import = false;
        } else {
            is_import &= first != ';';
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

fn starts_with_word(text: &str, word: &str) -> bool {
    text.get(..word.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(word))
}

fn ends_in_name(text: &str) -> bool {
    text.ends_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_' || c == '\\')
}

/// The address of a `url(`, and what comes after its `)`.
fn read_url(text: &str) -> (String, &str) {
    let text = text.trim_start();
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let (string, after) = read_string(&text[1..], quote);
        let after = after.split_once(')').map_or("", |(_, after)| after);
        return (unescaped(string), after);
    }
    let (address, after) = text.split_once(')').unwrap_or((text, ""));
    (unescaped(address.trim()), after)
}

/// A string up to its quote or the end of its line, and what comes after.
fn read_string(text: &str, quote: char) -> (&str, &str) {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return (&text[..at], &text[at..]),
            c if c == quote => return (&text[..at], &text[at + 1..]),
            _ => {}
        }
    }
    (text.trim_end_matches('\\'), "")
}

/// A string without its escapes: `\"` and `\26 `.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let mut code = 0_u32;
        let mut n_digits = 0;
        while let Some(digit) = rest.peek().and_then(|c| c.to_digit(16)).filter(|_| n_digits < 6) {
            code = code * 16 + digit;
            n_digits += 1;
            rest.next();
        }
        if n_digits > 0 {
            out.extend(char::from_u32(code));
            rest.next_if(|c| c.is_whitespace());
        } else {
            out.extend(rest.next());
        }
    }
    out
}

fn push_url(out: &mut String, address: &str, place: &dyn Fn(&str) -> Option<String>) {
    let is_data = starts_with_word(address, "data:image/") || starts_with_word(address, "data:font/");
    let address = if is_data {
        Some(address.to_owned())
    } else {
        place(address)
    };
    let address: String = address.unwrap_or_default().chars().map(quoted).collect();
    out.push_str("url(\"");
    out.push_str(&address);
    out.push_str("\")");
}

/// A character of an address inside quotes.
fn quoted(c: char) -> String {
    match c {
        '"' | '\\' | '<' | '\n' | '\r' | '\u{c}' | '\0' => format!("\\{:x} ", u32::from(c)),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(rewrite_style(text, &|address| Some(format!("/p?{address}"))), expected);
    }

    #[test]
    fn addresses_lead_through_us() {
        check("a{background:url(x.png)}", "a{background:url(\"/p?x.png\")}");
        check(
            "a{background:URL( 'x y.png' ) red}",
            "a{background:url(\"/p?x y.png\") red}",
        );
        check("@import 'b.css' screen;c{}", "@import url(\"/p?b.css\") screen;c{}");
        check("@import url(b.css);", "@import url(\"/p?b.css\");");
        check("a{background:url(\"a\\\"b\")}", "a{background:url(\"/p?a\\22 b\")}");
        check("a{background:url(\\68 ttp:x)}", "a{background:url(\"/p?http:x\")}");
        check(
            "a{background:url(data:image/png;base64,AA)}",
            "a{background:url(\"data:image/png;base64,AA\")}",
        );
    }

    #[test]
    fn comments_and_strings_are_no_addresses() {
        check("a/*url(x)*/b", "a b");
        check("a{content:'url(x)'}", "a{content:'url(x)'}");
        check("a{b:curl(x)}", "a{b:curl(x)}");
        check("/* no end", " ");
        check("a{content:'no end", "a{content:'no end'");
    }

    proptest! {
        #[test]
        fn any_text_gives_a_style_sheet(text in "\\PC{0,80}|[a-z@'\"\\\\/*();:{} \n]{0,80}") {
            rewrite_style(&text, &|_| None);
        }
    }
}
