//! What a guard has counted, as text for the store and back.

use super::guard::{Counter, Frozen, TrapGuard, TrapOptions};
use super::parameter::Evidence;
use crate::state_text::{StateReader, StateTextError, StateWriter};

const KIND: &str = "traps";
const VERSION: u32 = 1;

impl TrapGuard {
    /// What decides, as text for the store. What was seen is not in it, see
    /// [`TrapGuard::remember`], nor are patterns of few pages: a restart costs them some patience,
    /// and a real page nothing.
    pub fn to_text(&self) -> String {
        let mut writer = StateWriter::new(KIND, VERSION);
        let is_kept = |counter: &&Counter| counter.frozen.is_some() || counter.n_barren_in_row > 4 || counter.n_new > 8;
        for (level, counter) in self.counters.iter().filter(|(_, counter)| is_kept(counter)) {
            let Counter { n_fetched, n_new, .. } = counter;
            let in_row = (counter.n_barren_in_row, counter.n_same_in_row);
            writer.line(
                "pattern",
                format_args!("{n_fetched} {n_new} {} {} {level}", in_row.0, in_row.1),
            );
            if let Some(frozen) = &counter.frozen {
                let key = if frozen.refuses_all { "frozen-all" } else { "frozen" };
                writer.line(key, &frozen.reason);
            }
        }
        for (
            name,
            Evidence {
                n_same,
                n_different,
                n_paths,
            },
        ) in &self.parameters.evidence
        {
            writer.line("parameter", format_args!("{n_same} {n_different} {n_paths} {name}"));
        }
        writer.finish()
    }

    /// A guard from text that [`TrapGuard::to_text`] made.
    pub fn from_text(text: &str, options: TrapOptions) -> Result<Self, StateTextError> {
        let reader = StateReader::new(text, KIND, VERSION)?;
        let mut guard = Self::new(options);
        let mut last = String::new();
        for (key, value) in reader.lines() {
            let bad_line = || reader.bad_line(key);
            match key {
                "pattern" => {
                    let ([n_fetched, n_new, n_barren_in_row, n_same_in_row], level) =
                        numbers(value).ok_or_else(bad_line)?;
                    last = level.to_owned();
                    let counter = Counter {
                        n_fetched,
                        n_new,
                        n_barren_in_row,
                        n_same_in_row,
                        frozen: None,
                    };
                    guard.counters.insert(last.clone(), counter);
                }
                "frozen" | "frozen-all" => {
                    let counter = guard.counters.get_mut(&last).ok_or_else(bad_line)?;
                    counter.frozen = Some(Frozen {
                        refuses_all: key == "frozen-all",
                        reason: value.to_owned(),
                    });
                }
                "parameter" => {
                    let ([n_same, n_different, n_paths], name) = numbers(value).ok_or_else(bad_line)?;
                    let evidence = Evidence {
                        n_same,
                        n_different,
                        n_paths,
                    };
                    guard.parameters.evidence.insert(name.to_owned(), evidence);
                }
                _ => {}
            }
        }
        Ok(guard)
    }
}

/// This many numbers and the rest of a line.
fn numbers<T: std::str::FromStr, const N: usize>(line: &str) -> Option<([T; N], &str)> {
    let mut parts = line.splitn(N + 1, ' ');
    let numbers: Vec<T> = parts.by_ref().take(N).map_while(|part| part.parse().ok()).collect();
    Some((numbers.try_into().ok()?, parts.next()?))
}
