//! Asking a person on a terminal: one question, a line for an answer.

use std::io::{self, BufRead, Write};

use untemplate::teach::{Answer, LinkQuestion, Question};

/// Asks, and asks again while the answer makes no sense; `None` when the person does not know or is
/// gone.
pub fn ask_person(question: &Question, page: &str) -> Option<Answer> {
    let mut terminal = io::stderr().lock();
    let mut input = io::stdin().lock();
    ask(question, page, &mut terminal, &mut input)
}

/// Asks whether a link belongs to a navigation.
pub fn ask_link(question: &LinkQuestion) -> Option<bool> {
    let mut terminal = io::stderr().lock();
    let mut input = io::stdin().lock();
    ask_yes_no(question, &mut terminal, &mut input)
}

fn ask_yes_no(question: &LinkQuestion, out: &mut impl Write, input: &mut impl BufRead) -> Option<bool> {
    let (page, words) = (harmless(&question.page), harmless(&question.words));
    writeln!(
        out,
        "\n{page}\n{}: does the link {words:?} to {} lead to a page of {}?",
        question.request_class, question.address, question.to
    )
    .ok()?;
    loop {
        write!(out, "y, n, or s to skip: ").ok()?;
        out.flush().ok()?;
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim() {
            "y" => return Some(true),
            "n" => return Some(false),
            "s" => return None,
            _ => {}
        }
    }
}

fn ask(question: &Question, page: &str, out: &mut impl Write, input: &mut impl BufRead) -> Option<Answer> {
    writeln!(
        out,
        "\n{}\nWhat is {} there?",
        harmless(page),
        harmless(&question.field)
    )
    .ok()?;
    let choices = distinct(&question.choices);
    for (index, choice) in choices.iter().enumerate() {
        let shown = if choice.is_empty() {
            "(it is absent)".to_owned()
        } else {
            harmless(&choice.join(" | "))
        };
        writeln!(out, "  {}  {shown}", index + 1).ok()?;
    }
    loop {
        write!(
            out,
            "a number, a for absent, = and the value, n if the page is not wanted, or s to skip: "
        )
        .ok()?;
        out.flush().ok()?;
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        let number = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let choice = number.and_then(|number| choices.get(number));
        match (choice, line) {
            (Some(choice), _) => {
                let values = choice.iter().map(|value| value.as_str().into());
                return Some(Answer::Values(values.collect()));
            }
            (None, "a") => return Some(Answer::Values(Vec::new())),
            (None, "n") => return Some(Answer::Unwanted),
            (None, "s") => return None,
            (None, other) if other.starts_with('=') => {
                let value = other[1..].split_whitespace().collect::<Vec<&str>>().join(" ");
                // Nothing after the sign may be a slip, or mean that it is absent: that is asked
                // again.
                if !value.is_empty() {
                    return Some(Answer::Values(vec![value.into()]));
                }
            }
            (None, _) => {}
        }
    }
}

/// The choices, each once: on a terminal, the same text at two places is one choice.
fn distinct(choices: &[Vec<String>]) -> Vec<&Vec<String>> {
    let mut all: Vec<&Vec<String>> = Vec::new();
    for choice in choices {
        if !all.contains(&choice) {
            all.push(choice);
        }
    }
    all
}

/// A text that a terminal shows and does not obey: pages may hold escape sequences and marks that
/// turn the direction of writing.
fn harmless(text: &str) -> String {
    let is_turn =
        |letter: char| matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown = |letter: char| {
        if letter.is_control() || is_turn(letter) {
            '\u{fffd}'
        } else {
            letter
        }
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_says_does_not_steer_the_terminal() {
        let value = "9\u{1b}[2J\u{9b}1m\u{202e}x".to_owned();
        let question = Question {
            field: "price".to_owned(),
            page: 0,
            choices: vec![vec![value.clone()]],
            places: Vec::new(),
        };
        let mut shown = Vec::new();
        let answer = ask(&question, "a\u{7}.htm", &mut shown, &mut "1\n".as_bytes());
        assert_eq!(
            answer,
            Some(Answer::Values(vec![value.into()])),
            "the answer is what the page says"
        );
        let shown = String::from_utf8(shown).expect("a text");
        assert!(shown.contains("9\u{fffd}[2J\u{fffd}1m\u{fffd}x"), "{shown:?}");
        assert!(
            shown.chars().all(|letter| letter == '\n' || !letter.is_control()),
            "{shown:?}"
        );
    }

    fn check(typed: &str, expected: Option<&[&str]>) {
        let question = Question {
            field: "price".to_owned(),
            page: 0,
            choices: vec![vec!["$ 9".to_owned()], vec!["$ 9".to_owned()], Vec::new()],
            places: Vec::new(),
        };
        let answer = ask(&question, "a.htm", &mut Vec::new(), &mut typed.as_bytes());
        let expected = expected.map(|values| Answer::Values(values.iter().map(|&value| value.into()).collect()));
        assert_eq!(answer, expected, "{typed:?}");
    }

    #[test]
    fn a_person_says_which_links_belong() {
        let question = LinkQuestion {
            request_class: "BY".to_owned(),
            to: "LIST".to_owned(),
            page: "http://a.example/".to_owned(),
            address: "http://a.example/b".parse().expect("a good address"),
            words: "B\u{1b}".to_owned(),
        };
        for (typed, expected) in [("y\n", Some(true)), ("hm\nn\n", Some(false)), ("s\n", None), ("", None)] {
            let mut shown = Vec::new();
            assert_eq!(
                ask_yes_no(&question, &mut shown, &mut typed.as_bytes()),
                expected,
                "{typed:?}"
            );
            assert!(!shown.contains(&0x1b));
        }
    }

    #[test]
    fn a_person_picks_types_denies_or_skips() {
        check("1\n", Some(&["$ 9"]));
        check("2\n", Some(&[]));
        check("a\n", Some(&[]));
        check("7\nhm\n0\n= $  12\n", Some(&["$ 12"]));
        check("=\n=  \na\n", Some(&[]));
        check("=\n", None);
        check("s\n", None);
        check("", None);
    }
}
