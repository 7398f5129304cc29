//! Choices as the file has them.
//!
//! They are written down apart from the lesson's own, which the library names and changes as it
//! likes: words of files never change, and addresses, paths and patterns are texts here, which may
//! be wrong.

use serde::{Deserialize, Serialize};

use super::stored_rows::StoredRows;

/// The whole file.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredLesson {
    pub version: u32,
    pub entry: String,
    pub choices: Vec<StoredChoice>,
}

/// A choice, as the file has it.
#[derive(Serialize, Deserialize)]
#[serde(tag = "choice", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum StoredChoice {
    Follow(StoredFollow),
    Submit(StoredSubmit),
    Show {
        class: String,
        field: String,
        page: usize,
        value: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offset: Option<usize>,
    },
    ShowAll {
        class: String,
        shown: Vec<StoredExample>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        absent: Vec<StoredAbsence>,
    },
    Rows {
        class: String,
        rows: StoredRows,
    },
    RemoveRows {
        class: String,
        name: String,
    },
    Answer {
        class: String,
        field: String,
        page: usize,
        values: Option<Vec<StoredValue>>,
    },
    LeaveOut {
        class: String,
        field: String,
        rule: String,
    },
    Swap {
        id: String,
        rule: String,
    },
    More {
        class: String,
        sample: Vec<StoredRequest>,
    },
    Belongs {
        class: String,
        page: usize,
        is_wanted: bool,
    },
    RenameField {
        class: String,
        field: String,
        to: String,
    },
    OrderFields {
        class: String,
        fields: Vec<String>,
    },
    WriteRule {
        class: String,
        field: String,
        path: String,
    },
    CleanField {
        class: String,
        field: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pattern: Option<String>,
    },
    RemoveField {
        class: String,
        field: String,
    },
    /// The tag is the word of the first version of the file.
    #[serde(rename = "remove_way")]
    RemoveNavigation {
        id: String,
    },
}

/// What a field is on a page.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredExample {
    pub(super) field: String,
    pub(super) page: usize,
    pub(super) value: StoredValue,
}

/// A page that is without a field.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredAbsence {
    pub(super) field: String,
    pub(super) page: usize,
}

/// A value: a text, or a text with its place on the page.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum StoredValue {
    Text(String),
    Placed {
        value: String,
        at: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offset: Option<usize>,
    },
}

/// Links that are followed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredFollow {
    pub(super) id: String,
    pub(super) from: String,
    pub(super) page: usize,
    pub(super) clicked: Vec<StoredValue>,
    pub(super) rule: String,
    pub(super) to: String,
    pub(super) sample: Vec<StoredRequest>,
}

/// A form that is filled in.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredSubmit {
    pub(super) id: String,
    pub(super) from: String,
    pub(super) page: usize,
    pub(super) form: String,
    pub(super) fields: Vec<StoredField>,
    pub(super) to: String,
    pub(super) sample: Vec<StoredRequest>,
}

/// A request: its address, and what is posted there.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredRequest {
    pub(super) url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) post: Option<String>,
}

/// What a field of a form is given: one value, several, or each that the page offers.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredField {
    pub(super) name: String,
    pub(super) values: StoredValues,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StoredValues {
    Constant(String),
    Listed(Vec<String>),
    Options,
    Omitted,
}
