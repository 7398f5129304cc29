//! A matcher for the few expressions of the manifest: `^ $ \. \? \d + [^/] (a|b)` and plain
//! letters.

/// Whether the expression, which begins with `^`, is found in the text.
pub fn found(expression: &str, text: &str) -> bool {
    let expression = expression
        .strip_prefix('^')
        .expect("all expressions begin at the beginning");
    holds(expression, text)
}

fn holds(expression: &str, text: &str) -> bool {
    if expression.is_empty() {
        return true;
    }
    if expression == "$" {
        return text.is_empty();
    }
    if let Some(group) = expression.strip_prefix('(') {
        let (choices, rest) = group.split_once(')').expect("groups are closed");
        return choices.split('|').any(|choice| holds(&format!("{choice}{rest}"), text));
    }
    let (atom, rest) = atom(expression);
    let matches = text.chars().next().is_some_and(|letter| fits(atom, letter));
    let shorter = text.chars().next().map_or("", |letter| &text[letter.len_utf8()..]);
    match rest.strip_prefix('+') {
        Some(after) => matches && (holds(expression, shorter) || holds(after, shorter)),
        None => matches && holds(rest, shorter),
    }
}

fn atom(expression: &str) -> (&str, &str) {
    let length = match expression.as_bytes()[0] {
        b'\\' => 2,
        b'[' => expression.find(']').expect("brackets are closed") + 1,
        _ => 1,
    };
    expression.split_at(length)
}

fn fits(atom: &str, letter: char) -> bool {
    match atom {
        r"\d" => letter.is_ascii_digit(),
        "[^/]" => letter != '/',
        _ => atom.trim_start_matches('\\').starts_with(letter),
    }
}
