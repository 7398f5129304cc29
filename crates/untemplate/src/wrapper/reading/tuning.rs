//! The numbers that decide how the pages of a class are read.

use super::line_template::LineTuning;
use super::schema::SchemaTuning;
use super::vocabulary::VocabularyTuning;
use crate::tuning::settable;

/// What decides how the pages of a class are read.
#[derive(Debug, Clone, Default)]
pub struct ReadingTuning {
    /// What recurs on its pages.
    pub vocabulary: VocabularyTuning,
    /// What becomes of each place.
    pub schema: SchemaTuning,
}

impl ReadingTuning {
    /// Sets a number of `reading`, `lines` or `vocabulary`; false where there is none of this name.
    ///
    /// ```
    /// let mut tuning = untemplate::wrapper::reading::ReadingTuning::default();
    /// assert!(tuning.set("lines", "lines_min", 5.0) && tuning.schema.lines.lines_min == 5);
    /// assert!(!tuning.set("lines", "prose_chars", 5.0));
    /// ```
    pub fn set(&mut self, stage: &str, name: &str, value: f64) -> bool {
        match stage {
            "reading" => self.schema.set(name, value),
            "lines" => self.schema.lines.set(name, value),
            "vocabulary" => self.vocabulary.set(name, value),
            _ => false,
        }
    }
}

settable!(LineTuning {
    lines_min,
    share,
    slots_max
});

settable!(VocabularyTuning {
    recurring_share,
    recurring_pages_min,
    frame_share,
    site_frame_share,
    constant_share,
    bound_share,
    frame_pages_min,
    repeated_label_min,
    count_error
});

settable!(SchemaTuning {
    repeated_share,
    repeated_block_share,
    prose_chars,
    sentence_share,
    link_share,
    links_share,
    constant_share,
    frame_row_share,
    rare_share,
    rare_part_share,
    rare_rows_share,
    part_share,
    told_share,
    part_lines_share,
    dialect_share,
    dialect_distance,
    terms_min,
    entries_min,
    divided_bytes,
    way_repeats,
    merged_sections_min,
    merged_unlabelled_share,
    merged_labels_share,
    value_label_share,
    rare_label_share,
    open_label_share,
    value_line_share;
    lines
});
