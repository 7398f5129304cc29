//! The first rows of a run as they are read, for whoever watches it: a line of JSON each, in a
//! file. A line is a list of names and values, since the order of fields is the specification's.

use std::fs::File;
use std::io::Write;

use anyhow::{Context, Result};
use serde_json::json;
use untemplate::teach::{RunEvent, Specification};

use super::run_stream::record_parts;
use crate::arguments::RunArguments;
use crate::output::unwritable;

/// Rows that are written; who wants all has the tables in the end.
const ROWS_MAX: usize = 500;

/// A file of the first rows.
pub struct Preview<'a> {
    specification: &'a Specification,
    file: Option<File>,
    n_rows: usize,
}

impl<'a> Preview<'a> {
    /// Begins the file anew, where one is asked for.
    pub fn begin(specification: &'a Specification, arguments: &RunArguments) -> Result<Self> {
        let file = arguments.preview.as_ref();
        let file = file.map(|file| File::create(file).with_context(|| unwritable(file)));
        Ok(Self {
            specification,
            file: file.transpose()?,
            n_rows: 0,
        })
    }

    /// Takes what happened. A preview that cannot be written is no reason to end a run.
    pub fn take(&mut self, event: &RunEvent<'_>) {
        if let (Some(file), RunEvent::Record(record)) = (&mut self.file, event)
            && self.n_rows < ROWS_MAX
        {
            self.n_rows += 1;
            let line = format!("{}\n", json!(record_parts(self.specification, record)));
            let _ = file.write_all(line.as_bytes());
        }
    }
}
