//! Orders: what a form asks for. Everything is checked before anything is started, and what was
//! typed is never an option: values stand behind `--name=` or after `--`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use untemplate_store::read_specification;
use url::Url;

use super::register::JobOptions;
use super::schedule::period;
use crate::look::below::{below, name_below};
use crate::teach::asked::Asked;

/// The formats that tables are written in; SQLite always, since the studio shows it.
pub const FORMATS: [&str; 5] = ["sqlite", "csv", "jsonl", "parquet", "xml"];

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobVerb {
    /// The page classes of a site.
    Model,
    /// The pages like a sample.
    Gather,
    /// The data of pages like a sample.
    Report,
    /// A whole site as tables.
    Rebuild,
    /// A specification.
    Run,
}

impl JobVerb {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Rebuild, Self::Report, Self::Run, Self::Model, Self::Gather];

    /// As the program calls it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Gather => "gather",
            Self::Report => "report",
            Self::Rebuild => "rebuild",
            Self::Run => "run",
        }
    }

    /// The verb of a word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verb| verb.word() == word)
    }

    /// What it does, for people.
    pub fn story(self) -> &'static str {
        match self {
            Self::Model => "Find the page classes of a site and the links between them, from few downloads.",
            Self::Gather => "Find every page of a site that is like one page.",
            Self::Report => "Find the pages like one page, and read their data into tables.",
            Self::Rebuild => "Read a whole site back into the tables it was made from.",
            Self::Run => "Follow a specification that was taught or learnt, and write its tables.",
        }
    }

    /// Whether it writes tables.
    pub fn has_tables(self) -> bool {
        matches!(self, Self::Report | Self::Rebuild | Self::Run)
    }
}

/// What was ordered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The verb.
    pub verb: JobVerb,
    /// The address of the entry or sample; of `run`, the name of the specification below the
    /// studio's folder.
    pub subject: String,
    /// A folder below the studio's that answers instead of the web; none when empty.
    #[serde(default)]
    pub mirror: String,
    /// How tables are written.
    #[serde(default)]
    pub formats: Vec<String>,
    /// Pages at most.
    #[serde(default)]
    pub pages_max: Option<u64>,
    /// Minutes at most.
    #[serde(default)]
    pub minutes_max: Option<u64>,
    /// Whether the site is the entry's host alone.
    #[serde(default)]
    pub host_only: bool,
}

/// The name of the folder that the pages of a live site are kept in. It is one name, and none that
/// means another folder.
pub fn archive_name(entry: &Url) -> String {
    let host = entry.host_str().unwrap_or("");
    let port = entry.port().map_or_else(String::new, |port| format!("-{port}"));
    // An address in brackets makes a poor folder.
    let name: String = format!("{host}{port}")
        .chars()
        .filter(|c| !matches!(c, '[' | ']' | ':' | '/' | '\\') && !c.is_control())
        .collect();
    match name.trim_matches('.') {
        "" => "site".to_owned(),
        _ => name,
    }
}

/// Where the files of a job are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobPlace {
    /// The studio's folder.
    pub studio: PathBuf,
    /// The job's own folder.
    pub folder: PathBuf,
}

impl Order {
    /// Reads an order from a form; the text says what is wrong with it.
    pub fn read(asked: &Asked, studio: &Path) -> Result<Self, String> {
        let verb = JobVerb::of(asked.get("verb")).ok_or("Choose what to do.")?;
        let number = |name: &str| match asked.get(name).trim() {
            "" => Ok(None),
            text => match text.parse::<u64>() {
                Ok(number) if number > 0 => Ok(Some(number)),
                _ => Err(format!(
                    "{text} is no number that makes sense; leave it empty for no limit."
                )),
            },
        };
        let field = if verb == JobVerb::Run { "specification" } else { "entry" };
        let order = Self {
            verb,
            subject: asked.get(field).trim().to_owned(),
            mirror: asked.get("mirror").trim().to_owned(),
            formats: FORMATS
                .iter()
                .filter(|format| asked.all("format").any(|own| own == **format))
                .map(|format| (*format).to_owned())
                .collect(),
            pages_max: number("pages")?,
            minutes_max: number("minutes")?,
            host_only: asked.has("host_only") && verb != JobVerb::Run,
        };
        order.entry(studio)?;
        order.mirror_folder(studio)?;
        Ok(order)
    }

    /// The address that the job begins at.
    pub fn entry(&self, studio: &Path) -> Result<Url, String> {
        let has_name = |url: &Url| url.host_str().is_some_and(|host| !host.trim_matches('.').is_empty());
        let is_web = |url: &Url| matches!(url.scheme(), "http" | "https") && has_name(url);
        if self.verb != JobVerb::Run {
            let url = Url::parse(&self.subject).ok().filter(is_web);
            return url.ok_or_else(|| {
                format!(
                    "\"{}\" is no address of a page; give a whole one, such as https://site.example/.",
                    self.subject
                )
            });
        }
        let file = self.specification(studio)?;
        let specification = read_specification(&file).map_err(|error| error.to_string())?;
        let addresses = specification.classes.iter().flat_map(|class| &class.addresses);
        let entry = addresses.chain(&specification.site).find(|url| is_web(url)).cloned();
        entry.ok_or_else(|| format!("{} has no entry to begin at; teach one.", self.subject))
    }

    fn specification(&self, studio: &Path) -> Result<PathBuf, String> {
        let file = below(studio, &self.subject).filter(|file| file.is_file());
        file.ok_or_else(|| "Choose a specification below the studio's folder.".to_owned())
    }

    fn mirror_folder(&self, studio: &Path) -> Result<Option<PathBuf>, String> {
        if self.mirror.is_empty() {
            return Ok(None);
        }
        let folder = below(studio, &self.mirror).filter(|folder| folder.is_dir());
        let folder = folder.ok_or_else(|| format!("\"{}\" is no folder below the studio's.", self.mirror))?;
        Ok(Some(folder))
    }

    /// The archive that the job's pages are kept in: that of the host for the web, the job's own
    /// for all else.
    pub fn archive(&self, place: &JobPlace, options: &JobOptions) -> Result<PathBuf, String> {
        if !self.mirror.is_empty() || !options.sources.is_empty() {
            return Ok(place.folder.join("pages"));
        }
        let entry = self.entry(&place.studio)?;
        Ok(place.studio.join("untemplate-archive").join(archive_name(&entry)))
    }

    /// The arguments of the program. All that was typed stands behind a name or at the end, after
    /// `--`.
    pub fn arguments(&self, place: &JobPlace, options: &JobOptions) -> Result<Vec<OsString>, String> {
        let entry = self.entry(&place.studio)?;
        let mut all: Vec<OsString> = vec![self.verb.word().into()];
        let mut add = |name: &str, value: &Path| {
            let mut argument = OsString::from(format!("--{name}="));
            argument.push(value);
            all.push(argument);
        };
        add("summary", &place.folder.join("summary.json"));
        add("output", &place.folder.join(self.result_name()));
        add("archive", &self.archive(place, options)?);
        if let Some(folder) = self.mirror_folder(&place.studio)? {
            let root = entry.join("/").map_err(|_| "the entry has no root".to_owned())?;
            add("mirror", Path::new(&format!("{root}={}", folder.display())));
        } else {
            options.sources.iter().for_each(|source| all.push(source.clone()));
        }
        let is_live = self.mirror.is_empty() && options.sources.is_empty();
        if let Some(period) = period(&place.folder).filter(|_| is_live) {
            // A run that is repeated is there to see what changed since.
            all.push(format!("--refresh={}", period.as_secs() / 2).into());
        }
        all.extend(options.politeness.iter().cloned());
        if options.is_public_only {
            all.push("--public-only".into());
        }
        if let Some(pages_max) = self.pages_max {
            all.push(format!("--max-pages={pages_max}").into());
        }
        if let Some(minutes_max) = self.minutes_max {
            all.push(format!("--max-time={}", minutes_max.saturating_mul(60)).into());
        }
        if self.host_only {
            all.push("--host-only".into());
        }
        if self.verb.has_tables() {
            let mut formats: Vec<&str> = vec!["sqlite"];
            formats.extend(
                self.formats
                    .iter()
                    .map(String::as_str)
                    .filter(|format| *format != "sqlite" && FORMATS.contains(format)),
            );
            all.extend(
                formats
                    .into_iter()
                    .map(|format| OsString::from(format!("--format={format}"))),
            );
        }
        all.push("--".into());
        all.push(match self.verb {
            JobVerb::Run => self.specification(&place.studio)?.into_os_string(),
            _ => entry.as_str().into(),
        });
        Ok(all)
    }

    /// The name of the result in the job's folder.
    pub fn result_name(&self) -> &'static str {
        match self.verb {
            JobVerb::Model => "model.json",
            JobVerb::Gather => "pages.jsonl",
            JobVerb::Report | JobVerb::Rebuild | JobVerb::Run => "tables",
        }
    }

    /// What the job is about, as part of a folder's name.
    pub fn stem(&self) -> String {
        let about = match (self.verb, Url::parse(&self.subject)) {
            (JobVerb::Run, _) | (_, Err(_)) => name_below(Path::new(""), Path::new(&self.subject)),
            (_, Ok(url)) => url.host_str().unwrap_or("site").to_owned(),
        };
        let about: String = about
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .take(60)
            .collect();
        format!("{}-{}", self.verb.word(), about.trim_matches('-'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use std::fs;

    fn check(form: &str, expected: Expect) {
        let studio = tempfile::tempdir().expect("a folder");
        fs::create_dir(studio.path().join("site")).expect("a folder");
        let spec = "<codec version=\"1\">\n<page-class id=\"HOME\" entry=\"true\"><address>http://cup.example/a</address></page-class>\n</codec>";
        fs::write(studio.path().join("--spec.xml"), spec).expect("a file");
        let root = studio.path().canonicalize().expect("it is there");
        let place = JobPlace {
            folder: root.join("untemplate-jobs/one"),
            studio: root.clone(),
        };
        let options = JobOptions::default();
        let told = match Order::read(&Asked::read(form.as_bytes()), &root)
            .and_then(|order| order.arguments(&place, &options))
        {
            Ok(arguments) => arguments
                .iter()
                .map(|argument| argument.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
                .join("\n"),
            Err(reason) => format!("refused: {reason}"),
        };
        expected.assert_eq(&told.replace(&root.display().to_string(), "STUDIO"));
    }

    #[test]
    fn forms_become_arguments() {
        check(
            "verb=rebuild&entry=http%3A%2F%2Fcup.example%2F&format=csv&pages=20&minutes=2&host_only=on",
            expect![[r#"
                rebuild
                --summary=STUDIO/untemplate-jobs/one/summary.json
                --output=STUDIO/untemplate-jobs/one/tables
                --archive=STUDIO/untemplate-archive/cup.example
                --public-only
                --max-pages=20
                --max-time=120
                --host-only
                --format=sqlite
                --format=csv
                --
                http://cup.example/"#]],
        );
        check(
            "verb=model&entry=http%3A%2F%2Fcup.example%2Fa%2F&mirror=site",
            expect![[r#"
                model
                --summary=STUDIO/untemplate-jobs/one/summary.json
                --output=STUDIO/untemplate-jobs/one/model.json
                --archive=STUDIO/untemplate-jobs/one/pages
                --mirror=http://cup.example/=STUDIO/site
                --public-only
                --
                http://cup.example/a/"#]],
        );
        check(
            "verb=run&specification=--spec.xml",
            expect![[r#"
                run
                --summary=STUDIO/untemplate-jobs/one/summary.json
                --output=STUDIO/untemplate-jobs/one/tables
                --archive=STUDIO/untemplate-archive/cup.example
                --public-only
                --format=sqlite
                --
                STUDIO/--spec.xml"#]],
        );
    }

    #[test]
    fn nothing_typed_becomes_an_option() {
        check(
            "verb=model&entry=--output%3D%2Ftmp%2Fx",
            expect![[
                r#"refused: "--output=/tmp/x" is no address of a page; give a whole one, such as https://site.example/."#
            ]],
        );
        check(
            "verb=model&entry=file%3A%2F%2F%2Fetc%2Fpasswd",
            expect![[
                r#"refused: "file:///etc/passwd" is no address of a page; give a whole one, such as https://site.example/."#
            ]],
        );
        check(
            "verb=model&entry=http%3A%2F%2F..%2F",
            expect![[
                r#"refused: "http://../" is no address of a page; give a whole one, such as https://site.example/."#
            ]],
        );
        for dots in ["http://../", "http://./", "http://.../"] {
            assert_eq!(archive_name(&dots.parse().expect("an address")), "site");
        }
        check(
            "verb=model&entry=http%3A%2F%2Fa.example%2F&mirror=..%2F..",
            expect![[r#"refused: "../.." is no folder below the studio's."#]],
        );
        check(
            "verb=run&specification=..%2Fspec.xml",
            expect!["refused: Choose a specification below the studio's folder."],
        );
        check(
            "verb=archive&entry=http%3A%2F%2Fa.example%2F",
            expect!["refused: Choose what to do."],
        );
        check(
            "verb=model&entry=http%3A%2F%2Fa.example%2F&pages=-1",
            expect!["refused: -1 is no number that makes sense; leave it empty for no limit."],
        );
    }
}
