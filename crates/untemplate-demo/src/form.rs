//! Form fields in a query or a request body: `name=ana&position=forward`, percent-encoded.

/// Decodes the fields, in order. Bytes that are no UTF-8 are read as windows-1252 sends them,
/// letter by letter.
pub fn decode_form(text: &str) -> Vec<(String, String)> {
    text.split('&')
        .filter(|field| !field.is_empty())
        .map(|field| {
            let (name, value) = field.split_once('=').unwrap_or((field, ""));
            (decode_component(name), decode_component(value))
        })
        .collect()
}

/// Encodes one name or value: letters, digits and `-._` stay, a space is `+`, the rest is
/// percent-encoded.
pub fn encode_component(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => encoded.push(char::from(byte)),
            b' ' => encoded.push('+'),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

fn decode_component(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        match (first, tail) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, after @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                bytes.push(hex(*high) * 16 + hex(*low));
                rest = after;
            }
            _ => bytes.push(first),
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect())
}

/// The value of a hexadecimal digit.
fn hex(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        _ => digit.saturating_sub(b'A') + 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check_decode(text: &str, expected: Expect) {
        expected.assert_eq(&format!("{:?}", decode_form(text)));
    }

    #[test]
    fn fields_are_decoded() {
        check_decode(
            "q=ana+v%C3%A9l&page=2",
            expect![[r#"[("q", "ana vél"), ("page", "2")]"#]],
        );
        check_decode("q=v%E9l&&x", expect![[r#"[("q", "vél"), ("x", "")]"#]]);
        check_decode("q=100%&r=%4", expect![[r#"[("q", "100%"), ("r", "%4")]"#]]);
    }

    #[test]
    fn encoding_is_undone_by_decoding() {
        let text = "Ana & Ö=+?";
        assert_eq!(decode_form(&format!("q={}", encode_component(text)))[0].1, text);
    }
}
