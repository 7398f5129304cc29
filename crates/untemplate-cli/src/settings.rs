//! `untemplate.toml` in the working folder: options that one would otherwise type every time.
//!
//! In: the words of the command line, and the file if there is one. Out: the arguments. Each key is
//! an option without its hyphens; those at the top are for every verb that has the option, those
//! under `[VERB]` for that verb. The command line wins: an option that it has, or that contradicts
//! one that it has, is not taken from the file.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow, bail};
use clap::error::ErrorKind as Wrong;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use toml::{Table, Value};

use crate::arguments::{Arguments, brief_command, command};
use crate::outcome::WrongUsage;

/// The file.
const FILE: &str = "untemplate.toml";

/// What a file in a folder may not decide: which program is started.
const NEVER: [&str; 2] = ["browser", "notice"];

static WORDS: OnceLock<Vec<String>> = OnceLock::new();

/// The words of the command line, with those of the file.
pub fn words() -> &'static [String] {
    WORDS.get_or_init(|| std::env::args().collect())
}

/// Reads the command line and the file. What is wrong with the former ends the program, as always.
pub fn arguments() -> Result<Arguments> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let mut program = command();
    let given = matches_of(&program, &words);
    let (verb, of_verb) = given.subcommand().expect("a verb is required");
    let more = match settings(Path::new(FILE))? {
        Some(settings) => {
            program.build();
            words_of(&settings, &program, verb, of_verb)?
        }
        None => Vec::new(),
    };
    let place = words
        .iter()
        .position(|word| word == verb)
        .map_or(words.len(), |place| place + 1);
    let (before, after) = words.split_at(place);
    let more = more.iter().map(OsString::from);
    let all: Vec<OsString> = before
        .iter()
        .cloned()
        .chain(more)
        .chain(after.iter().cloned())
        .collect();
    let texts = all.iter().map(|word| word.to_string_lossy().into_owned());
    let _ = WORDS.set(texts.collect());
    let matches = matches_of(&command(), &all);
    Ok(Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()))
}

fn matches_of(command: &Command, words: &[OsString]) -> ArgMatches {
    let matches = command.clone().try_get_matches_from(words);
    matches.unwrap_or_else(|error| {
        let is_brief = error.kind() == Wrong::DisplayHelp && words.iter().any(|word| word == "-h");
        let brief = is_brief.then(|| brief_command().try_get_matches_from(words).err());
        brief.flatten().unwrap_or(error).exit()
    })
}

/// What the file says, if there is one.
fn settings(file: &Path) -> Result<Option<Table>> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| format!("cannot read {FILE}"))?,
    };
    let wrong = |error: toml::de::Error| WrongUsage(format!("{FILE}: {}", error.to_string().trim_end()));
    Ok(Some(text.parse::<Table>().map_err(wrong)?))
}

/// The options that the file adds to a command line.
fn words_of(settings: &Table, command: &Command, verb: &str, given: &ArgMatches) -> Result<Vec<String>> {
    let verbs: Vec<&Command> = command.get_subcommands().collect();
    let own = verbs
        .iter()
        .find(|its| its.get_name() == verb)
        .expect("clap knows its verbs");
    let (mut words, mut of_verb) = (Vec::new(), Table::new());
    let mut of_all = Table::new();
    for (key, value) in settings {
        let named = verbs.iter().find(|its| its.get_name() == key);
        match (named, value) {
            (Some(its), Value::Table(table)) => {
                if let Some(key) = table.keys().find(|key| option_of(its, key).is_none()) {
                    bail!(unknown(&format!("[{}] {key}", its.get_name()), its));
                }
                if its.get_name() == verb {
                    of_verb.clone_from(table);
                }
            }
            _ if verbs.iter().any(|its| option_of(its, key).is_some()) => {
                of_all.insert(key.clone(), value.clone());
            }
            _ => bail!(unknown(key, own)),
        }
    }
    let of_all = of_all.into_iter().filter(|(key, _)| {
        let is_same = |other: &String| long(other) == long(key);
        !of_verb.keys().any(is_same)
    });
    let all: Vec<(String, Value)> = of_all.chain(of_verb.clone()).collect();
    for (key, value) in all {
        let Some(option) = option_of(own, &key) else { continue };
        if NEVER.contains(&long(&key).as_str()) {
            bail!(WrongUsage(format!(
                "{FILE}: {key} is for the command line alone; give --{}",
                long(&key)
            )));
        }
        let is_given = |option: &Arg| given.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine);
        // Only one of two rivals says that they are.
        let are_rivals = |left: &Arg, right: &Arg| {
            let rivals = own.get_arg_conflicts_with(left);
            rivals.iter().any(|rival| rival.get_id() == right.get_id())
        };
        let is_rival = |other: &Arg| are_rivals(option, other) || are_rivals(other, option);
        let mut given_options = own.get_arguments().filter(|other| is_given(other));
        if !given_options.any(|other| other.get_id() == option.get_id() || is_rival(other)) {
            words.extend(option_words(&key, &value, option)?);
        }
    }
    Ok(words)
}

fn long(key: &str) -> String {
    key.replace('_', "-")
}

/// The option that a key means.
fn option_of<'a>(verb: &'a Command, key: &str) -> Option<&'a Arg> {
    let long = long(key);
    let mut options = verb.get_arguments();
    options.find(|option| option.get_long() == Some(long.as_str()) && !matches!(long.as_str(), "help" | "version"))
}

fn unknown(key: &str, verb: &Command) -> WrongUsage {
    let name = verb.get_name();
    WrongUsage(format!(
        "{FILE}: {key} is no option; `untemplate {name} --help` names them, and keys are written without the two hyphens"
    ))
}

/// The words that stand for a key and its value on the command line.
fn option_words(key: &str, value: &Value, option: &Arg) -> Result<Vec<String>> {
    let name = long(key);
    let wrong = |what: &str| anyhow!(WrongUsage(format!("{FILE}: {key}: {what}")));
    let is_switch = matches!(option.get_action(), ArgAction::SetTrue);
    match value {
        Value::Boolean(true) => Ok(vec![format!("--{name}")]),
        Value::Boolean(false) => Ok(Vec::new()),
        _ if is_switch => Err(wrong("write true or false")),
        Value::String(text) => Ok(vec![format!("--{name}={text}")]),
        Value::Integer(number) => Ok(vec![format!("--{name}={number}")]),
        Value::Float(number) => Ok(vec![format!("--{name}={number}")]),
        Value::Array(values) if matches!(option.get_action(), ArgAction::Append) => {
            let words = values.iter().map(|value| option_words(key, value, option));
            Ok(words.collect::<Result<Vec<_>>>()?.concat())
        }
        Value::Array(_) => Err(wrong("it is given once; write one value")),
        Value::Table(_) | Value::Datetime(_) => Err(wrong("write a text or a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, words: &[&str], expected: Result<&[&str], &str>) {
        let mut program = command();
        let words: Vec<OsString> = ["untemplate"].iter().chain(words).map(OsString::from).collect();
        let given = matches_of(&program, &words);
        let (verb, of_verb) = given.subcommand().expect("a verb");
        program.build();
        let settings: Table = file.parse().expect("it is TOML");
        match (words_of(&settings, &program, verb, of_verb), expected) {
            (Ok(words), Ok(expected)) => assert_eq!(words, expected, "{file}"),
            (Err(error), Err(expected)) => assert!(error.to_string().contains(expected), "{error}"),
            (told, _) => panic!("{file}: {told:?}"),
        }
    }

    #[test]
    fn the_command_line_wins() {
        let file = "delay = 0.5\nexclude = ['print', 'login']\nno-robots = true\nkeep_parameter = ['sid']\n[rebuild]\nmax_pages = 9\ndelay = 2\n[model]\nhost-only = true";
        let all = [
            "--exclude=print",
            "--exclude=login",
            "--keep-parameter=sid",
            "--no-robots",
            "--delay=2",
            "--max-pages=9",
        ];
        check(file, &["rebuild", "a.example"], Ok(&all));
        let given = [
            "rebuild",
            "a.example",
            "--delay",
            "1",
            "--exclude",
            "x",
            "--keep-parameters",
        ];
        check(file, &given, Ok(&["--no-robots", "--max-pages=9"]));
        check(
            file,
            &["model", "a.example", "--no-robots", "--exclude=x"],
            Ok(&["--delay=0.5", "--keep-parameter=sid", "--host-only"]),
        );
        check(file, &["completions", "bash"], Ok(&[]));
    }

    #[test]
    fn mistakes_are_named() {
        check("delai = 1", &["rebuild", "a.example"], Err("delai is no option"));
        check(
            "[rebuild]\nscope = 'host'",
            &["model", "a.example"],
            Err("[rebuild] scope is no option"),
        );
        check("delay = [1]", &["rebuild", "a.example"], Err("write one value"));
        check("quiet = 1", &["rebuild", "a.example"], Err("true or false"));
        check("browser = './x'", &["rebuild", "a.example"], Err("command line alone"));
    }
}
