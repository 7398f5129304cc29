//! Options and results of the jobs.

use url::Url;

use crate::site::model::{ModelOptions, ShapeBook, SiteModel};
use crate::wrapper::reading::ReadingTuning;

use super::class_reader::ClassReader;
use super::ledger::Ledger;
use super::link_texts::LinkTexts;
use super::omissions::Omissions;
use super::placing::PlacingModel;

/// What `rebuild` and `report` are given beside the site.
#[derive(Debug, Clone)]
pub struct JobOptions {
    /// How the site is explored before it is read.
    pub model: ModelOptions,
    /// How the pages of each class are read.
    pub reading: ReadingTuning,
    /// Pages to start from beside the entry.
    pub starts: Vec<Url>,
    /// Pages asked for at a time: enough to keep a crawl busy, few enough to hold their trees.
    pub batch: usize,
}

impl Default for JobOptions {
    fn default() -> Self {
        Self {
            model: ModelOptions::default(),
            reading: ReadingTuning::default(),
            starts: Vec::new(),
            batch: 64,
        }
    }
}

/// Starts that an exploration begins with: it visits all that it is given, and needs few pages of a
/// class.
const STARTS_EXPLORED: usize = 60;

impl JobOptions {
    /// Sets a number that decides, by its stage and name; false where there is none.
    pub fn set_number(&mut self, stage: &str, name: &str, value: f64) -> bool {
        match stage {
            "model" => self.model.tuning.set(name, value),
            _ => self.reading.set(stage, name, value),
        }
    }

    /// The starts that an exploration begins with, taken evenly from all of them.
    pub fn first_starts(&self) -> Vec<Url> {
        let step = self.starts.len().div_ceil(STARTS_EXPLORED).max(1);
        self.starts.iter().step_by(step).cloned().collect()
    }
}

/// What a job read.
#[derive(Debug)]
pub struct CrawlResult {
    /// The site model it began with, where there was one.
    pub model: Option<SiteModel>,
    /// All models that pages were placed by, in the order in which they are asked.
    pub placing: Vec<PlacingModel>,
    /// What reads each page class.
    pub readers: Vec<ClassReader>,
    /// What came of each address.
    pub ledger: Ledger,
    /// What links call the pages that they lead to, until the classes are named by it.
    pub link_texts: LinkTexts,
    /// What the addresses have in common.
    pub shapes: ShapeBook,
    /// Pages that are there and could not be had, and why.
    pub losses: Vec<(Url, String)>,
    /// What robots or the scope of the crawl forbade.
    pub n_refused: usize,
    /// Addresses that lead to no page.
    pub n_dead: usize,
    /// Pages that say what another one says, or that say that they are another one.
    pub n_copies: usize,
    /// Addresses that were left out since those of their shape brought nothing new.
    pub n_left_out: usize,
    /// The first of the addresses that are counted above.
    pub omissions: Omissions,
    /// Pages that no class reads.
    pub n_unread: usize,
    /// Whether a limit or an interrupt cut it short.
    pub is_stopped: bool,
}
