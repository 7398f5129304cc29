//! Style sheets whose addresses lead through us.
//!
//! A style sheet is read into tokens as browsers read it, and written anew from them: `url(…)`,
//! `@import "…"` and the strings of functions that take addresses get the address that stands for
//! them here; comments and what is broken are left out. So nothing is an address to a browser that
//! was none to us. Whatever comes of it, the frame's policy lets nothing load from elsewhere.

use cssparser::{ParseError, Parser, ToCss, Token, TokenSerializationType};

/// How deep blocks are followed into each other; what is deeper is left out.
const DEPTH_MAX: usize = 48;

/// Functions whose strings are addresses.
const ADDRESS_FUNCTIONS: [&str; 6] = ["url", "src", "image", "image-set", "-webkit-image-set", "url-prefix"];

/// A style sheet with each address replaced by what `place` makes of it; addresses that it has
/// nothing for become empty.
pub fn rewrite_style(text: &str, place: &dyn Fn(&str) -> Option<String>) -> String {
    let mut writer = Writer {
        place,
        out: String::with_capacity(text.len() + 64),
        last: TokenSerializationType::Nothing,
        depth: 0,
    };
    writer.write_all(&mut Parser::new(text), false);
    writer.out
}

struct Writer<'a> {
    place: &'a dyn Fn(&str) -> Option<String>,
    out: String,
    /// What was written last: some tokens would become others beside it.
    last: TokenSerializationType,
    depth: usize,
}

impl Writer<'_> {
    /// Writes the tokens of a block, or of the whole; inside a function that takes addresses, its
    /// strings are some.
    fn write_all(&mut self, parser: &mut Parser<'_>, has_addresses: bool) {
        let mut is_import = false;
        while let Ok(token) = parser.next_including_whitespace().cloned() {
            match &token {
                Token::UnquotedUrl(address) => {
                    self.push_url(address);
                    is_import = false;
                }
                Token::QuotedString(address) if is_import || has_addresses => {
                    self.push_url(address);
                    is_import = false;
                }
                Token::Function(name) if is(name, "url") || is(name, "src") => {
                    self.write_url(parser);
                    is_import = false;
                }
                // What a browser would give up on is not handed on.
                Token::BadUrl(_)
                | Token::BadString(_)
                | Token::CloseParenthesis
                | Token::CloseSquareBracket
                | Token::CloseCurlyBracket => {}
                Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock => {
                    is_import &= !matches!(token, Token::CurlyBracketBlock);
                    self.write_block(&token, parser);
                }
                _ => {
                    is_import = match &token {
                        Token::AtKeyword(name) => is(name, "import"),
                        Token::Semicolon => false,
                        _ => is_import,
                    };
                    self.push(&token);
                }
            }
        }
    }

    fn push(&mut self, token: &Token<'_>) {
        let kind = token.serialization_type();
        if self.last.needs_separator_when_before(kind) {
            self.out.push_str("/**/");
        }
        // Writing into a string does not fail.
        let _ = token.to_css(&mut self.out);
        self.last = kind;
    }

    fn write_block(&mut self, open: &Token<'_>, parser: &mut Parser<'_>) {
        self.push(open);
        let (close, has_addresses) = match open {
            Token::CurlyBracketBlock => ('}', false),
            Token::SquareBracketBlock => (']', false),
            Token::Function(name) => (')', ADDRESS_FUNCTIONS.iter().any(|own| is(name, own))),
            _ => (')', false),
        };
        if self.depth < DEPTH_MAX {
            self.depth += 1;
            self.last = TokenSerializationType::Nothing;
            let _ = parser.parse_nested_block(|inner| {
                self.write_all(inner, has_addresses);
                Ok::<_, ParseError<()>>(())
            });
            self.depth -= 1;
        }
        self.out.push(close);
        self.last = TokenSerializationType::Nothing;
    }

    /// A `url("…")`: its address is its first string, and what else it has is left out.
    fn write_url(&mut self, parser: &mut Parser<'_>) {
        let address = parser.parse_nested_block(|inner| {
            let address = inner.expect_string().map(|address| address.to_string());
            while inner.next().is_ok() {}
            Ok::<_, ParseError<()>>(address.unwrap_or_default())
        });
        self.push_url(&address.unwrap_or_default());
    }

    fn push_url(&mut self, address: &str) {
        let starts = |with: &str| address.get(..with.len()).is_some_and(|start| is(start, with));
        let address = match starts("data:image/") || starts("data:font/") {
            true => Some(address.to_owned()),
            false => (self.place)(address),
        };
        let address: String = address.unwrap_or_default().chars().map(quoted).collect();
        if self.last.needs_separator_when_before(TokenSerializationType::Function) {
            self.out.push_str("/**/");
        }
        self.out.extend(["url(\"", &address, "\")"]);
        self.last = TokenSerializationType::Nothing;
    }
}

fn is(name: &str, own: &str) -> bool {
    name.eq_ignore_ascii_case(own)
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
    fn whatever_a_browser_takes_for_an_address_is_one() {
        // The name of the function, and the word behind the at sign, may be written with escapes.
        check("a{b:\\75rl(x.png)}", "a{b:url(\"/p?x.png\")}");
        check("@\\69mport 'b.css';", "@import url(\"/p?b.css\");");
        check(
            "a{b:image-set('x.png' 1x, url(y.png) 2x)}",
            "a{b:image-set(url(\"/p?x.png\") 1x, url(\"/p?y.png\") 2x)}",
        );
        check("a{b:src('x.png')}", "a{b:url(\"/p?x.png\")}");
        check("@media print{a{b:url(x)}}", "@media print{a{b:url(\"/p?x\")}}");
        check("a{b:url(x y)}", "a{b:}");
    }

    #[test]
    fn comments_and_strings_are_no_addresses() {
        check("a/*url(x)*/b", "a/**/b");
        check("a{content:'url(x)'}", "a{content:\"url(x)\"}");
        check("a{b:curl(x)}", "a{b:curl(x)}");
        check("/* no end", "");
        check("a{content:'no end", "a{content:\"no end\"}");
        check("a[href='x']{b:c}", "a[href=\"x\"]{b:c}");
    }

    #[test]
    fn a_deep_style_sheet_is_cut() {
        let deep = "(".repeat(200_000);
        assert!(rewrite_style(&format!("a{{b:{deep}"), &|_| None).len() < 200);
    }

    proptest! {
        #[test]
        fn any_text_gives_a_style_sheet_that_stays_as_it_is(text in "\\PC{0,80}|[a-z@'\"\\\\/*();:{} \n]{0,80}") {
            let once = rewrite_style(&text, &|address| Some(address.to_owned()));
            prop_assert_eq!(&rewrite_style(&once, &|address| Some(address.to_owned())), &once);
        }
    }
}
