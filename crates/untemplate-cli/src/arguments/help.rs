//! Help: what `-h` and `--help` say of the arguments. `-h` is for whoever wants to begin, and fits
//! on a screen; `--help` is the manual.

use clap::builder::StyledStr;
use clap::{Arg, Command, CommandFactory};

use super::Arguments;

/// Of the options under headings, those that `-h` has; it leaves the others to `--help`.
const COMMON: [&str; 8] = [
    "include", "exclude", "below", "format", "output", "mirror", "port", "no_open",
];

/// Options of a verb's own that few people need; `-h` leaves them to `--help` as well.
const RARE: [&str; 24] = [
    "explain",
    "wrapper",
    "refresh",
    "wrappers_only",
    "host_only",
    "attrs",
    "faithful",
    "per_collection",
    "strategy",
    "exhaustive",
    "schema",
    "algorithm",
    "without",
    "send",
    "max_next",
    "retry_failed",
    "scripting",
    "training",
    "prefix",
    "query",
    "max_questions",
    "class",
    "min_held",
    "seed",
];

/// Verbs whose result is the address that they serve at.
const SERVING: [&str; 2] = ["teach", "studio"];

const ADDRESS_TO_FILE: &str = "Write the address that it serves at to FILE; - is standard output";

const EXIT_CODES: &str = "Exit codes: 0 complete; 1 failed; 2 wrong usage; 3 done in part; 4 drift; 5 complete, and nothing was found; 130 interrupted.";

/// The command line: `-h` says what most people need, `--help` all.
pub fn command() -> Command {
    let command = Arguments::command();
    let line = |verb: &Command| {
        let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
        format!("  {:<12}{about}\n", verb.get_name())
    };
    let verbs: String = command.get_subcommands().map(line).collect();
    let is_rare = |arg: &Arg| match arg.get_help_heading() {
        Some(_) => !COMMON.contains(&arg.get_id().as_str()),
        None => RARE.contains(&arg.get_id().as_str()),
    };
    let quietly = move |arg: Arg| {
        let is_rare = is_rare(&arg);
        shortened(arg).hide_short_help(is_rare)
    };
    let of_verb = move |verb: Command| {
        let verb = match SERVING.contains(&verb.get_name()) {
            true => verb.mut_arg("output", |arg| arg.help(ADDRESS_TO_FILE)),
            false => verb,
        };
        match WITHOUT_FILES.contains(&verb.get_name()) {
            true => verb.mut_args(quietly).mut_arg("base", |arg| arg.hide(true)),
            false => verb.mut_args(quietly),
        }
    };
    command
        .after_long_help(format!("Verbs:\n{verbs}\n{EXIT_CODES}"))
        .mut_arg("log", |arg| arg.hide_short_help(true))
        .mut_subcommands(of_verb)
}

/// An option that `-h` says the first clause of, and `--help` all.
fn shortened(arg: Arg) -> Arg {
    let Some(whole) = arg.get_help().map(ToString::to_string).filter(|_| !arg.is_positional()) else {
        return arg;
    };
    let first = first_clause(&whole);
    let long = arg.get_long_help().map_or(whole, ToString::to_string);
    arg.help(first).long_help(long)
}

fn first_clause(whole: &str) -> String {
    let ends = [". ", "; ", ": "].iter().filter_map(|end| whole.find(end));
    whole[..ends.min().unwrap_or(whole.len())].to_owned()
}

/// The same as it is shown by `-h` of a verb: what fits into twenty lines.
pub fn brief_command() -> Command {
    command().mut_subcommands(brief)
}

/// How `-h` of a verb is laid out: what it takes and its options in one list.
const BRIEF: &str = "{about}\n\n{usage-heading} {usage}\n\n{positionals}\n\n{options}{after-help}";

/// The same of a verb that takes nothing but options.
const BRIEF_OPTIONS: &str = "{about}\n\n{usage-heading} {usage}\n\n{options}{after-help}";

/// Lines below the options that `-h` shows: the word "Examples:" and two of them.
const LINES_BELOW: usize = 3;

fn brief(verb: Command) -> Command {
    let text = |of: Option<&StyledStr>| of.map(ToString::to_string).unwrap_or_default();
    let about = first_clause(&text(verb.get_about()));
    let below: Vec<String> = text(verb.get_after_help())
        .lines()
        .take_while(|line| !line.is_empty())
        .take(LINES_BELOW)
        .map(str::to_owned)
        .collect();
    let layout = match verb.get_positionals().next() {
        Some(_) => BRIEF,
        None => BRIEF_OPTIONS,
    };
    verb.about(about)
        .after_help(below.join("\n"))
        .help_template(layout)
        .disable_version_flag(true)
        .mut_args(
            |arg| match (arg.is_positional(), arg.get_help().map(ToString::to_string)) {
                (true, Some(help)) => arg.help(help.split(". ").next().unwrap_or_default().to_owned()),
                _ => arg,
            },
        )
}

/// Verbs that take no page that is a file, so that none needs an address.
const WITHOUT_FILES: [&str; 2] = ["run", "studio"];
