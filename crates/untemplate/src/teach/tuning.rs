//! The numbers that decide in `teach`: what each means, and where it comes from.
//!
//! A number without a source is a judgement, and says so. "By hand" means that it was set while
//! looking at the pages of the learning evaluation (the tasks for `learn`, and mutated pages),
//! once, and not swept; whoever changes one runs both.

use crate::page::Name;

/// Rules for a value: which are tried, and what their kind says for them before any page was read.
///
/// Priors only order the candidates: the votes of a field come from what its rules did on the
/// pages.
pub(super) struct CandidateTuning {
    /// The prior of a path from the document, which every added element breaks. By hand.
    pub absolute_prior: f64,
    /// The prior of a path from an element that only its tag tells. By hand.
    pub rare_tag_prior: f64,
    /// Attributes that tell elements apart, with the prior of a rule from there: what is meant for
    /// machines lasts longest, then what scripts and styles use. By hand.
    pub anchors: [(Name, f64); 4],
    /// What is left of an anchor's prior for each element between it and the value: positions on
    /// the way can shift.
    pub height_decay: f64,
    /// Elements of one kind on a page above which "the third of them" tells nothing.
    pub alike_max: usize,
    /// Pages of a sample from which on an attribute's value that only one of them has is no anchor,
    /// but that page's data. With two pages nothing tells the one from the other.
    pub alone_pages_min: usize,
    /// The prior of a label next to the value: a little more than the best anchor, since labels are
    /// meant for readers.
    pub labeled_prior: f64,
    /// What is left of a label's prior when it stands after the value.
    pub after_factor: f64,
    /// What is left of a label's prior for each sibling passed between it and the value: the ninth
    /// row after a label is another label's.
    pub sibling_decay: f64,
    /// Siblings that are counted for that.
    pub siblings_max: u32,
    /// What is left of a label's prior for each step between it and the value.
    pub distance_decay: f64,
    /// How far a label may be from the value, in steps: tables in tables need ten.
    pub pivot_distance_max: usize,
    /// Labels that are tried for one place, the nearest first. A bound on work.
    pub pivots_max: usize,
    /// Letters of a label that stands in the value's own text, before a colon: more is a sentence.
    pub label_letters_max: usize,
}

impl CandidateTuning {
    pub const DEFAULT: Self = Self {
        absolute_prior: 0.4,
        rare_tag_prior: 0.5,
        anchors: [
            (Name::ITEMPROP, 1.0),
            (Name::ID, 0.9),
            (Name::CLASS, 0.8),
            (Name::NAME, 0.6),
        ],
        height_decay: 0.95,
        alike_max: 6,
        alone_pages_min: 3,
        labeled_prior: 1.1,
        after_factor: 0.7,
        sibling_decay: 0.9,
        siblings_max: 8,
        distance_decay: 0.93,
        pivot_distance_max: 14,
        pivots_max: 24,
        label_letters_max: 40,
    };
}

/// The vote of a field's rules.
pub(super) struct FieldTuning {
    /// A value, or its absence, stands with more than this share of all votes: a majority.
    pub majority: f64,
    /// What the vote of a rule that finds nothing counts: rules break more often than fields
    /// vanish. By hand.
    pub silence_weight: f64,
    /// The share of the first slot's best weight below which another slot is a chance find. By
    /// hand.
    pub slot_share: f64,
    /// On how many pages a slot's best rule is right, whatever its weight, for it to be no chance
    /// find.
    pub slot_pages: usize,
    /// Rules from labels that a slot keeps: enough for a vote, few enough to read.
    pub labeled_max: usize,
    /// Other rules that a slot keeps: fewer, since what breaks one path often breaks the next.
    pub anchored_max: usize,
}

impl FieldTuning {
    pub const DEFAULT: Self = Self {
        majority: 0.5,
        silence_weight: 0.6,
        slot_share: 0.5,
        slot_pages: 2,
        labeled_max: 5,
        anchored_max: 3,
    };
}

/// Which links are meant by those that were shown.
pub(super) struct LinkTuning {
    /// What a rule from the document risks. Risks are sums: of the anchor, the positions and the
    /// steps of a rule.
    pub document_risk: f64,
    /// Attributes that tell elements apart, with what a rule from there risks. By hand.
    pub anchors: [(Name, f64); 4],
    /// What a rule risks from an element that is the only one of its tag.
    pub only_tag_risk: f64,
    /// What a rule risks that goes by the words of the link.
    pub words_risk: f64,
    /// What a pattern of addresses adds: sites change addresses less often than pages, but when
    /// they do, all of them.
    pub pattern_risk: f64,
    /// What each step adds; a position adds one.
    pub step_risk: f64,
    /// Letters of a link's own words: more is a headline, and one of a kind.
    pub words_max: usize,
    /// Positions of a path that may be dropped, the deepest first: pages differ near their links. A
    /// bound on work.
    pub droppable_max: usize,
    /// Places of one shown link that are looked at: menus repeat.
    pub places_max: usize,
    /// Hypotheses that are weighed. They are bits of a number.
    pub hypotheses_max: usize,
    /// The share of the links that stand alike from which on those of the clicked kind of address
    /// are meant alone: a majority.
    pub kind_share: f64,
    /// Links that are visited to tell hypotheses apart.
    pub trials_max: usize,
    /// What each hypothesis is worth beside the one before it, before anything was tried. Set on
    /// one site.
    pub rank_decay: f64,
    /// What is left of a hypothesis that picks a page unlike the shown one. Set on one site.
    pub picks_other: f64,
    /// What is left of a hypothesis that leaves out a page like the shown one: less odd, as lists
    /// hold parts of a class.
    pub leaves_alike: f64,
    /// What is left of a hypothesis that contradicts an answer: people err once in fifty times.
    pub contradicted: f64,
}

impl LinkTuning {
    pub const DEFAULT: Self = Self {
        document_risk: 1.0,
        anchors: [
            (Name::ITEMPROP, 0.2),
            (Name::ID, 0.3),
            (Name::REL, 0.2),
            (Name::CLASS, 0.5),
        ],
        only_tag_risk: 0.6,
        words_risk: 0.4,
        pattern_risk: 0.6,
        step_risk: 0.1,
        words_max: 30,
        droppable_max: 10,
        places_max: 4,
        hypotheses_max: 16,
        kind_share: 0.5,
        trials_max: 16,
        rank_decay: 0.9,
        picks_other: 0.1,
        leaves_alike: 0.5,
        contradicted: 0.02,
    };
}

/// Whether pages are of one class.
pub(super) struct SameClassTuning {
    /// The longest text that is taken for a label, in bytes.
    pub label_bytes_max: usize,
    /// The likeness above which two pages are of one class.
    pub alike_min: f64,
    /// The same where their addresses are of one folder. Set on one site of family trees: persons
    /// with and without ancestors share 0.2 and more, other classes 0.1.
    pub alike_in_folder_min: f64,
}

impl SameClassTuning {
    pub const DEFAULT: Self = Self {
        label_bytes_max: 48,
        alike_min: 0.5,
        alike_in_folder_min: 0.15,
    };
}

/// What the pages of a class must satisfy.
pub(super) struct AssertionTuning {
    /// The fewest pages that say what a class has in common: one page cannot tell its template from
    /// its data.
    pub pages_min: usize,
    /// Pages of each other class that the texts of a class are compared with. Texts of the site's
    /// frame are on all of its pages, so that a few find them.
    pub others_max: usize,
    /// Texts of an assertion (paper 002 §4).
    pub texts_max: usize,
    /// The share of the texts that a page must have. Ten pages cannot tell a text that is always
    /// there from one that is nearly always, and twelve of those would together refuse many good
    /// pages.
    pub hold_share: f64,
    /// The fewest letters of a text that tells: less is punctuation.
    pub letters_min: usize,
    /// The most letters of a text that tells: more is prose.
    pub letters_max: usize,
    /// Paths of each other kind that an assertion gets.
    pub paths_max: usize,
    /// Places of one text that are looked at. A bound on work.
    pub places_max: usize,
    /// The fewest unwanted pages whose common texts are a reason to refuse a page: one page is full
    /// of its own data.
    pub absence_pages_min: usize,
}

impl AssertionTuning {
    pub const DEFAULT: Self = Self {
        pages_min: 2,
        others_max: 3,
        texts_max: 12,
        hold_share: 0.5,
        letters_min: 2,
        letters_max: 60,
        paths_max: 6,
        places_max: 8,
        absence_pages_min: 2,
    };

    /// Whether a text is neither punctuation nor prose. One without a letter is a value, such as a
    /// year, on however many pages it stands.
    pub fn is_telling(&self, text: &str) -> bool {
        (self.letters_min..=self.letters_max).contains(&text.chars().count()) && text.contains(char::is_alphabetic)
    }
}
