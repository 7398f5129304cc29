//! Asking a person on a terminal: one question, a line for an answer.

use std::io::{self, BufRead, Write};

use untemplate::teach::Question;

/// Asks, and asks again while the answer makes no sense; `None` when the person does not know or is gone.
pub fn ask_person(question: &Question, page: &str) -> Option<Vec<String>> {
    let mut terminal = io::stderr().lock();
    let mut input = io::stdin().lock();
    ask(question, page, &mut terminal, &mut input)
}

fn ask(question: &Question, page: &str, out: &mut impl Write, input: &mut impl BufRead) -> Option<Vec<String>> {
    writeln!(out, "\n{page}\nWhat is {} there?", question.field).ok()?;
    for (index, choice) in question.choices.iter().enumerate() {
        let shown = if choice.is_empty() {
            "(it is absent)".to_owned()
        } else {
            choice.join(" | ")
        };
        writeln!(out, "  {}  {shown}", index + 1).ok()?;
    }
    loop {
        write!(out, "a number, a for absent, = and the value, or s to skip: ").ok()?;
        out.flush().ok()?;
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        let number = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let choice = number.and_then(|number| question.choices.get(number));
        match (choice, line) {
            (Some(choice), _) => return Some(choice.clone()),
            (None, "a") => return Some(Vec::new()),
            (None, "s") => return None,
            (None, other) if other.starts_with('=') => {
                let value = other[1..].split_whitespace().collect::<Vec<&str>>().join(" ");
                return Some(vec![value]);
            }
            (None, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(typed: &str, expected: Option<&[&str]>) {
        let question = Question {
            field: "price".to_owned(),
            page: 0,
            choices: vec![vec!["$ 9".to_owned()], Vec::new()],
        };
        let answer = ask(&question, "a.htm", &mut Vec::new(), &mut typed.as_bytes());
        let expected = expected.map(|values| values.iter().map(|&value| value.to_owned()).collect::<Vec<String>>());
        assert_eq!(answer, expected, "{typed:?}");
    }

    #[test]
    fn a_person_picks_types_denies_or_skips() {
        check("1\n", Some(&["$ 9"]));
        check("2\n", Some(&[]));
        check("a\n", Some(&[]));
        check("7\nhm\n0\n= $  12\n", Some(&["$ 12"]));
        check("s\n", None);
        check("", None);
    }
}
