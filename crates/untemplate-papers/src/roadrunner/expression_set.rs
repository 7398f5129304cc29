//! Expression sets: what `--faithful` infers, and how it reads pages.
//!
//! In: pages. Out: an expression for each set of pages that agree. A new page is read by the first
//! one that it matches whole; a page that matches none gives nothing, and a problem says how far
//! the best one came and what it expected.

use std::collections::HashMap;

use untemplate::page::{Dom, Page, Problem, TokenCode, TokenInterner};
use untemplate::wrapper::{Extraction, Record, Value, as_key};

use super::expression::{Expression, show_expression};
use super::operator::list_at;
use super::parse::{Mismatch, Step, parse_whole};
use super::search::SearchOptions;
use super::token::SymbolKind;
use super::wrapper::{ExpressionWrapper, PageList, infer_expressions};

/// Expressions over tags with numbers of their own.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpressionSet {
    /// The tags; a symbol's code is an index.
    pub tags: Vec<String>,
    /// The expressions, the one with the first page first.
    pub wrappers: Vec<ExpressionWrapper>,
}

impl ExpressionSet {
    /// The expressions of pages.
    pub fn infer(pages: &[&Page], options: &SearchOptions) -> Self {
        let doms: Vec<&Dom> = pages.iter().map(|page| &page.dom).collect();
        let mut interner = TokenInterner::default();
        let mut wrappers = infer_expressions(&doms, &mut interner, options);
        let mut tags = Tags {
            interner: &interner,
            numbers: HashMap::new(),
            texts: Vec::new(),
        };
        for wrapper in &mut wrappers {
            tags.renumber(&mut wrapper.expression);
        }
        Self {
            tags: tags.texts,
            wrappers,
        }
    }

    /// An expression in the paper's notation.
    pub fn show(&self, wrapper: &ExpressionWrapper) -> String {
        show_expression(&wrapper.expression, &self.tags, &wrapper.texts)
    }

    /// A page as a list, with the numbers of these tags.
    pub(super) fn list_of(&self, page: &Page) -> PageList {
        let mut interner = TokenInterner::default();
        let mut list = PageList::of(&page.dom, &mut interner);
        let numbers: HashMap<&str, u32> = self
            .tags
            .iter()
            .zip(0..)
            .map(|(tag, number)| (tag.as_str(), number))
            .collect();
        for symbol in list.symbols.iter_mut().filter(|symbol| symbol.kind != SymbolKind::Text) {
            symbol.code = numbers
                .get(interner.text(TokenCode(symbol.code)))
                .copied()
                .unwrap_or(u32::MAX);
        }
        list
    }

    /// Reads a page.
    pub fn extract(&self, page: &Page) -> Extraction {
        let list = self.list_of(page);
        let mut furthest: Option<(Mismatch, &ExpressionWrapper)> = None;
        for wrapper in &self.wrappers {
            let (is_matched, parse) = parse_whole(&wrapper.expression, &list.symbols);
            if is_matched {
                let record = record_of(wrapper, &parse.steps, &list.texts);
                return Extraction {
                    is_matched,
                    record,
                    sources: Vec::new(),
                    rounds: Vec::new(),
                    agreement: 1.0,
                    problems: Vec::new(),
                };
            }
            let stopped = parse.mismatches.into_iter().max_by_key(|mismatch| mismatch.token);
            if let Some(stopped) =
                stopped.filter(|own| furthest.as_ref().is_none_or(|(best, _)| own.token > best.token))
            {
                furthest = Some((stopped, wrapper));
            }
        }
        let problem = furthest.map(|(mismatch, wrapper)| self.problem(&mismatch, wrapper));
        Extraction {
            is_matched: false,
            record: Record::default(),
            sources: Vec::new(),
            rounds: Vec::new(),
            agreement: 0.0,
            problems: problem.into_iter().collect(),
        }
    }

    /// Where a page stopped matching, and what was expected there.
    fn problem(&self, mismatch: &Mismatch, wrapper: &ExpressionWrapper) -> Problem {
        let list = list_at(&wrapper.expression, &mismatch.path);
        let expected = match list.get(mismatch.index) {
            Some(expression) => show_expression(std::slice::from_ref(expression), &self.tags, &[]),
            None => "the end".to_owned(),
        };
        let message = format!(
            "token {} of the page is not {expected}, which the expression has there",
            mismatch.token
        );
        Problem::new("mismatch", message)
    }
}

/// Gives tags numbers in order of their first use.
struct Tags<'a> {
    interner: &'a TokenInterner,
    numbers: HashMap<u32, u32>,
    texts: Vec<String>,
}

impl Tags<'_> {
    fn renumber(&mut self, list: &mut [Expression]) {
        for expression in list {
            match expression {
                Expression::Token(symbol) if symbol.kind != SymbolKind::Text => {
                    let next = self.texts.len() as u32;
                    let number = *self.numbers.entry(symbol.code).or_insert(next);
                    if number == next {
                        self.texts.push(self.interner.text(TokenCode(symbol.code)).to_owned());
                    }
                    symbol.code = number;
                }
                Expression::Optional(body) | Expression::Repeat(body) => self.renumber(body),
                _ => {}
            }
        }
    }
}

/// The texts of fields, nested as repeats are.
fn record_of(wrapper: &ExpressionWrapper, steps: &[Step], texts: &[String]) -> Record {
    let names = field_names(&wrapper.texts);
    let mut open: Vec<(usize, Record)> = vec![(0, Record::default())];
    for step in steps {
        match *step {
            Step::Enter(number) => open.push((number, Record::default())),
            Step::Leave => {
                let Some((number, round)) = open.pop() else { break };
                if let Some((_, outer)) = open.last_mut().filter(|_| !round.values.is_empty()) {
                    push_round(outer, &format!("list_{number}"), round);
                }
            }
            Step::Present(_) => {}
            Step::Text(number, token) => {
                let name = names.get(number).and_then(Option::as_ref);
                if let (Some(name), Some(text), Some((_, record))) = (name, texts.get(token), open.last_mut()) {
                    record.values.push((name.as_str().into(), Value::Text(text.clone())));
                }
            }
        }
    }
    open.into_iter().next().map(|(_, record)| record).unwrap_or_default()
}

fn push_round(record: &mut Record, key: &str, round: Record) {
    match record.values.iter_mut().find(|(own, _)| **own == *key) {
        Some((_, Value::List(rounds))) => rounds.push(round),
        _ => record.values.push((key.into(), Value::List(vec![round]))),
    }
}

/// A field is called after the template text right before it, else by its number; template texts
/// have no name.
fn field_names(texts: &[Option<String>]) -> Vec<Option<String>> {
    let mut names: Vec<Option<String>> = Vec::with_capacity(texts.len());
    for (number, text) in texts.iter().enumerate() {
        if text.is_some() {
            names.push(None);
            continue;
        }
        let label = number
            .checked_sub(1)
            .and_then(|before| texts[before].as_deref())
            .and_then(as_key);
        let name = label.unwrap_or_else(|| format!("field_{number}"));
        let is_taken = names.iter().flatten().any(|own| *own == name);
        names.push(Some(if is_taken { format!("{name}_{number}") } else { name }));
    }
    names
}
