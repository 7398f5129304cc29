//! What can be evaluated: the tasks, the verbs they need and the figures that have floors.

/// One thing to measure.
pub struct Task {
    pub name: &'static str,
    pub about: &'static str,
    /// Verbs of the program it runs.
    pub verbs: &'static [&'static str],
    /// The figures that `--raise` writes floors for. Others are shown by the scorer and free to
    /// move.
    pub figures: &'static [&'static str],
    pub kind: Kind,
}

/// How a task is run.
pub enum Kind {
    /// A scorer of `../shared/eval` on one corpus; `quick_only` names its part for `--quick`, as a
    /// regular expression.
    Scorer {
        scorer: &'static str,
        corpus: &'static str,
        quick_only: Option<&'static str>,
    },
    /// Pages of every corpus through `show schema`: all must be read.
    Pages,
    /// The public conformance suites, run by tests of the library.
    Suites,
    /// The demo site, written, rebuilt and compared with its database.
    Roundtrip,
    /// The sites of the corpora, rebuilt: a table for each class.
    Mirrors,
    /// List pages, each changed in many ways.
    Mutations,
    /// Tests of the store that measure drift, by their names.
    Drift { tests: &'static [&'static str] },
    /// Property tests on arbitrary bytes, for as long as they are given.
    Fuzz,
    /// A test of the program that takes long or needs more than a test may ask for, and the setting
    /// that lets it.
    Trial {
        package: &'static str,
        test: &'static str,
        setting: (&'static str, &'static str),
    },
}

impl Kind {
    /// Whether the task runs only when it is named.
    pub fn is_by_name(&self) -> bool {
        matches!(
            self,
            Self::Fuzz | Self::Trial { .. } | Self::Drift { .. } | Self::Mutations
        )
    }

    /// Whether the task needs no corpus.
    pub fn is_without_corpora(&self) -> bool {
        self.is_by_name() && !matches!(self, Self::Mutations) || matches!(self, Self::Roundtrip)
    }
}

/// Figures for which less is better: their floor is a ceiling.
const LESS_IS_BETTER: [&str; 10] = [
    "over",
    "per_field",
    "downloads",
    "invented",
    "repeated",
    "downloads_a_page",
    "noise",
    "merged",
    "tables_over",
    "columns_over",
];

/// All tasks, in the order they run.
pub const TASKS: [Task; 23] = [
    task("suites", "public conformance suites", &[], &[], Kind::Suites),
    task("pages", "real pages are read", &["show"], &["read"], Kind::Pages),
    task(
        "lists",
        "records of list pages",
        &["records"],
        &["F1", "perfect"],
        whole("lists", "zhao1"),
    ),
    task(
        "lists-yamada",
        "records of other list pages",
        &["records"],
        &["F1", "perfect"],
        whole("lists", "yamada"),
    ),
    task(
        "cells",
        "cells of list pages",
        &["records"],
        &["rec_F1", "cell_F1", "columns"],
        whole("cells", "estuka-dev"),
    ),
    task(
        "mutations",
        "records of list pages after one change each (by name only)",
        &[],
        &["kept", "worst"],
        Kind::Mutations,
    ),
    task(
        "swde-infer",
        "fields inferred",
        &["infer", "extract"],
        &["F1", "page"],
        part("swde-infer", "swde-dev", "^[bc]"),
    ),
    task(
        "swde-learn",
        "fields learnt",
        &["learn", "extract"],
        &["F1", "per_field"],
        part("swde-learn", "swde-dev", "^[bc]"),
    ),
    task(
        "wien",
        "lists inferred",
        &["infer", "extract"],
        &["F1", "link_F1"],
        whole("wien", "wien-dev"),
    ),
    task(
        "exalg",
        "agreement on lists",
        &["infer", "extract"],
        &["F1", "link_F1"],
        whole("exalg", "exalg-dev"),
    ),
    task(
        "so",
        "page classes of one site",
        &["model", "classify"],
        &["F*", "purity"],
        whole("so", "so"),
    ),
    task(
        "model",
        "site models",
        &["model", "classify"],
        &["F*", "purity", "downloads"],
        part("model", "sites", "^[ph]"),
    ),
    task(
        "gather",
        "pages like a sample",
        &["gather"],
        &["R", "P", "over", "frugal"],
        part("gather", "sites", "^[ph]"),
    ),
    task(
        "rebuild",
        "real sites rebuilt, against databases written by hand",
        &["rebuild"],
        &[
            "F1",
            "P",
            "names",
            "table_names",
            "types",
            "links",
            "noise",
            "repeated",
            "merged",
            "tables_over",
            "columns_over",
            "worst_F1",
        ],
        part("rebuild", "gold", "^w"),
    ),
    task(
        "roundtrip",
        "a database poured into a site, and back",
        &["demo", "rebuild"],
        &[
            "tables",
            "columns",
            "cells",
            "correct",
            "types",
            "keys",
            "foreign_keys",
            "invented",
            "repeated",
            "downloads_a_page",
            "tables_wild",
            "columns_wild",
            "cells_wild",
            "correct_wild",
            "types_wild",
            "keys_wild",
            "foreign_keys_wild",
            "invented_wild",
            "repeated_wild",
            "downloads_a_page_wild",
        ],
        Kind::Roundtrip,
    ),
    task(
        "mirrors",
        "real sites rebuilt: a table for each class",
        &["rebuild"],
        &["classes", "downloads_a_page"],
        Kind::Mirrors,
    ),
    task(
        "verify",
        "alarms on pages that did not change, and on mutated ones (by name only)",
        &[],
        &[
            "wrapper_training_alarms",
            "wrapper_false_alarms",
            "wrapper_detected",
            "specification_training_alarms",
            "specification_false_alarms",
            "specification_detected",
        ],
        Kind::Drift {
            tests: &["raise", "agree_with"],
        },
    ),
    task(
        "repair",
        "broken fields mended, on mutated pages and from one skin to another (by name only)",
        &[],
        &[
            "wrapper_mended",
            "wrapper_precision",
            "specification_mended",
            "specification_precision",
            "demo_wrapper_mended",
            "demo_wrapper_precision",
            "demo_specification_mended",
            "demo_specification_precision",
        ],
        Kind::Drift { tests: &["mended"] },
    ),
    task("fuzz", "arbitrary bytes (by name only)", &[], &[], Kind::Fuzz),
    task(
        "kill",
        "200 kills of a crawl of 2,000 pages (by name only)",
        &["archive"],
        &[],
        trial("untemplate-cli", "kill", ("UNTEMPLATE_KILLS", "200")),
    ),
    task(
        SHARED_KILL,
        "kills of three workers and restarts of the server that they share (by name only)",
        &["archive"],
        &[],
        trial("untemplate-cli", "shared_kill", ("UNTEMPLATE_SHARED_KILLS", "")),
    ),
    task(
        "politeness",
        "50 hosts, 64 workers, 20 breaks, judged from the server's log (by name only)",
        &[],
        &[],
        trial("untemplate-crawl", "crawl_politeness", ("UNTEMPLATE_BREAKS", "20")),
    ),
    task(
        "disk",
        "a crawl on a disk of 20 MiB (by name only; mounts one, as root)",
        &["archive"],
        &[],
        trial("untemplate-cli", "disk", ("UNTEMPLATE_SMALL_DISK", "1")),
    ),
];

const fn task(
    name: &'static str,
    about: &'static str,
    verbs: &'static [&'static str],
    figures: &'static [&'static str],
    kind: Kind,
) -> Task {
    Task {
        name,
        about,
        verbs,
        figures,
        kind,
    }
}

const fn trial(package: &'static str, test: &'static str, setting: (&'static str, &'static str)) -> Kind {
    Kind::Trial { package, test, setting }
}

const fn whole(scorer: &'static str, corpus: &'static str) -> Kind {
    Kind::Scorer {
        scorer,
        corpus,
        quick_only: None,
    }
}

const fn part(scorer: &'static str, corpus: &'static str, quick_only: &'static str) -> Kind {
    Kind::Scorer {
        scorer,
        corpus,
        quick_only: Some(quick_only),
    }
}

/// The task of this name.
pub fn named(name: &str) -> Result<&'static Task, String> {
    TASKS.iter().find(|task| task.name == name).ok_or_else(|| {
        let all: Vec<&str> = TASKS.iter().map(|task| task.name).collect();
        format!("eval has no task `{name}`; tasks: {}", all.join(", "))
    })
}

/// The task that `kill --archive postgresql` means.
pub const SHARED_KILL: &str = "kill-postgresql";

/// How the figures of the demo site's hardest skin end, which is held apart from the others.
pub const WILD_ENDING: &str = "_wild";

/// Is less of a figure better?
pub fn is_less_better(figure: &str) -> bool {
    let figure = figure.strip_suffix(WILD_ENDING).unwrap_or(figure);
    LESS_IS_BETTER.contains(&figure) || figure.ends_with("_alarms")
}

/// Is `value` worse than `floor`?
pub fn is_worse(figure: &str, value: f64, floor: f64) -> bool {
    if is_less_better(figure) {
        value > floor
    } else {
        value < floor
    }
}
