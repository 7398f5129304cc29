//! `eval/floors.toml`: the figures reached so far, which may only become better.
//!
//! A small part of TOML: comments, `[task]`, `figure = number`, with the figure in quotes where it
//! is no bare key. The file is kept line by line, so that comments survive when floors are raised.

use super::results::Judged;
use super::task::{self, Kind};
use std::path::Path;

/// The file, as lines.
pub struct Floors {
    lines: Vec<Line>,
}

enum Line {
    Section(String),
    Floor {
        figure: String,
        value: f64,
    },
    /// A comment or an empty line.
    Other(String),
}

impl Floors {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Floors, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Floors::parse(&text).map_err(|why| format!("{}: {why}", path.display()))
    }

    /// Reads the text of the file.
    pub fn parse(text: &str) -> Result<Floors, String> {
        let lines = text
            .lines()
            .enumerate()
            .map(|(index, line)| parse_line(line).map_err(|why| format!("line {}: {why}", index + 1)));
        Ok(Floors {
            lines: lines.collect::<Result<_, _>>()?,
        })
    }

    /// The floors of a section, in the order of the file.
    pub fn of(&self, section: &str) -> Vec<(&str, f64)> {
        let mut inside = false;
        let mut found = Vec::new();
        for line in &self.lines {
            match line {
                Line::Section(name) => inside = name == section,
                Line::Floor { figure, value } if inside => found.push((figure.as_str(), *value)),
                Line::Floor { .. } | Line::Other(_) => {}
            }
        }
        found
    }

    /// Writes down every figure that is better than its floor, or has none yet; says whether there
    /// was one. What a failed task measured is left out.
    pub fn raise(&mut self, judged: &[Judged<'_>], quick: bool) -> bool {
        let mut raised = false;
        for result in judged.iter().filter(|result| result.is_measured()) {
            let section = section_of(result.task, quick);
            for figure in result.figures.iter().filter(|figure| figure.is_held) {
                let is_better = figure
                    .floor
                    .is_none_or(|floor| task::is_worse(figure.name, floor, figure.value));
                if is_better {
                    self.set(&section, figure.name, figure.value);
                    raised = true;
                }
            }
        }
        raised
    }

    fn set(&mut self, section: &str, figure: &str, value: f64) {
        let is_head = |line: &Line| matches!(line, Line::Section(name) if name == section);
        let Some(head) = self.lines.iter().position(is_head) else {
            self.lines.push(Line::Other(String::new()));
            self.lines.push(Line::Section(section.to_owned()));
            self.lines.push(Line::Floor {
                figure: figure.to_owned(),
                value,
            });
            return;
        };
        let inside = self.lines[head + 1..]
            .iter()
            .take_while(|line| !matches!(line, Line::Section(_)))
            .count();
        let mut last = head;
        for (index, line) in self.lines.iter_mut().enumerate().skip(head + 1).take(inside) {
            if let Line::Floor {
                figure: known,
                value: floor,
            } = line
            {
                last = index;
                if known == figure {
                    *floor = value;
                    return;
                }
            }
        }
        self.lines.insert(
            last + 1,
            Line::Floor {
                figure: figure.to_owned(),
                value,
            },
        );
    }

    /// Writes the file.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        std::fs::write(path, self.text()).map_err(|error| format!("cannot write {}: {error}", path.display()))
    }

    fn text(&self) -> String {
        let is_bare = |figure: &str| {
            figure
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
        };
        let shown = |line: &Line| match line {
            Line::Section(name) => format!("[{name}]\n"),
            Line::Floor { figure, value } if is_bare(figure) => format!("{figure} = {value}\n"),
            Line::Floor { figure, value } => format!("\"{figure}\" = {value}\n"),
            Line::Other(text) => format!("{text}\n"),
        };
        self.lines.iter().map(shown).collect()
    }
}

/// The section of a task; a quick run has floors of its own where it sees fewer pages.
pub fn section_of(task: &str, quick: bool) -> String {
    let sees_fewer =
        task::named(task).is_ok_and(|task| matches!(task.kind, Kind::Scorer { .. } | Kind::Pages | Kind::Roundtrip));
    if quick && sees_fewer {
        format!("{task}-quick")
    } else {
        task.to_owned()
    }
}

fn parse_line(line: &str) -> Result<Line, String> {
    let code = line.trim();
    if code.is_empty() || code.starts_with('#') {
        return Ok(Line::Other(line.to_owned()));
    }
    if let Some(name) = code.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return Ok(Line::Section(name.to_owned()));
    }
    let (figure, value) = code.split_once('=').ok_or("neither `[task]` nor `figure = number`")?;
    let value = value.split('#').next().unwrap_or_default().trim();
    let value = value.parse().map_err(|_| format!("`{value}` is no number"))?;
    Ok(Line::Floor {
        figure: figure.trim().trim_matches('"').to_owned(),
        value,
    })
}

#[cfg(test)]
mod tests {
    use super::super::results::{State, TaskResult, judge};
    use super::*;
    use expect_test::{Expect, expect};

    fn check_raise(before: &str, task: &'static str, figures: &[(&str, f64)], expected: Expect) {
        let mut floors = Floors::parse(before).expect("the test's floors are well formed");
        let figures = figures
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect();
        let result = TaskResult {
            figures,
            ..TaskResult::without_figures(task, State::Measured)
        };
        let judged = judge(&result, &floors, false);
        floors.raise(&[judged], false);
        expected.assert_eq(&floors.text());
    }

    #[test]
    fn better_figures_raise_and_worse_ones_do_not_lower() {
        check_raise(
            "# Why.\n[lists]\n# Hard won.\nF1 = 0.9\n\n[so]\nF1 = 0.1\n",
            "lists",
            &[("F1", 0.95), ("perfect", 0.5), ("seconds", 9.0)],
            expect![[r#"
                # Why.
                [lists]
                # Hard won.
                F1 = 0.95
                perfect = 0.5

                [so]
                F1 = 0.1
            "#]],
        );
        check_raise(
            "[lists]\nF1 = 0.9\nperfect = 0.5\n",
            "lists",
            &[("F1", 0.8), ("perfect", 0.7)],
            expect![[r#"
            [lists]
            F1 = 0.9
            perfect = 0.5
        "#]],
        );
    }

    #[test]
    fn a_ceiling_is_lowered_and_odd_keys_are_quoted() {
        check_raise(
            "[model]\ndownloads = 90\n",
            "model",
            &[("F*", 0.8), ("downloads", 80.0)],
            expect![[r#"
            [model]
            downloads = 80
            "F*" = 0.8
        "#]],
        );
    }

    #[test]
    fn bad_lines_are_named() {
        assert_eq!(
            Floors::parse("[a]\nb").err(),
            Some("line 2: neither `[task]` nor `figure = number`".to_owned())
        );
        assert_eq!(
            Floors::parse("b = x").err(),
            Some("line 1: `x` is no number".to_owned())
        );
    }
}
