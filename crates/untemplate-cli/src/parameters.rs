//! `--parameters FILE`, which no help shows: other values for numbers that decide, as
//! `cargo xtask eval --sweep` tries them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Reads a file such as `{"model.join_share": 0.8}` and sets each number; `set` is given a stage, a
/// name and a value, and says whether there is such a number.
pub fn set_numbers(file: Option<&Path>, mut set: impl FnMut(&str, &str, f64) -> bool) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    let shown = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {shown}"))?;
    let numbers: BTreeMap<String, f64> = serde_json::from_str(&text)
        .with_context(|| format!("{shown} has no numbers; write JSON such as {{\"model.join_share\": 0.8}}"))?;
    for (name, value) in numbers {
        let is_set = name
            .split_once('.')
            .is_some_and(|(stage, number)| set(stage, number, value));
        if !is_set {
            bail!(
                "{shown}: this verb has no number `{name}`; they are fields of the `Tuning` structs, with their stage before them"
            );
        }
    }
    Ok(())
}
