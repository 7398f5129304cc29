//! Readings: the pages of a class read as a reader reads them.
//!
//! In: the [`Content`] of every page of a class. Out: a [`ClassReading`], which turns such a page
//! into a record. Three passes, each of which sees one page at a time: [`VocabularyCounts`] tells
//! which labels and headings recur, a [`Vocabulary`]; the [`Guide`] counts what stands at each
//! place; [`decide`] says what becomes of each place; then every page is read. No page is a sample
//! of the others: a heading on one page in thirty is a column.

mod alike;
mod coverage;
mod decide;
mod dialects;
mod extract;
mod field;
mod flat;
mod frame_list;
mod grid_variants;
mod guide;
mod guide_merge;
mod heading_kinds;
mod heading_labels;
mod line_template;
mod line_words;
mod local_menus;
mod noted;
mod once;
mod one_key;
mod prose;
mod prune;
mod read;
mod schema;
mod section_names;
mod show;
mod site_frame;
mod step;
mod text_counts;
mod tuning;
mod value_headers;
mod value_labels;
mod vocabulary;
mod ways;

#[cfg(test)]
mod frame_tests;
#[cfg(test)]
mod line_template_tests;
#[cfg(test)]
mod list_tests;
#[cfg(test)]
mod open_label_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod told_value_tests;

pub use coverage::Coverage;
pub use decide::decide;
pub(crate) use grid_variants::without_headers;
pub use guide::{Guide, Place, PlaceId};
pub use line_template::{LineTemplate, LineTuning};
pub use local_menus::MenuSearch;
pub use prune::LeftOut;
pub use schema::{ClassSchema, Field, FieldInfo, Role, Rows, SchemaTuning};
pub use site_frame::find_site_frame;
pub use step::{Seen, Step, StepKind, Value, see};
pub use text_counts::{PartCounts, TextCounts};
pub use tuning::ReadingTuning;
pub use vocabulary::{Frequencies, Hashes, Vocabulary, VocabularyCounts, VocabularyTuning};

use crate::content::Content;
use crate::wrapper::Record;

/// All that turns a page of a class into a record.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassReading {
    /// What recurs on its pages.
    pub vocabulary: Vocabulary,
    /// What becomes of each place.
    pub schema: ClassSchema,
}

impl ClassReading {
    /// What a page says.
    pub fn read(&self, content: &Content) -> Record {
        read::read(&self.schema, &self.vocabulary, content).into_record()
    }
}
