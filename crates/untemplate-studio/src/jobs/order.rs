//! Orders: what a form asks for. Everything is checked before anything is started, and what was
//! typed is never an option: values stand behind `--name=` or after `--`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use untemplate_store::{read_specification, site_on_disk};
use url::Url;

use super::register::JobOptions;
use super::schedule::period;
use crate::disk;
use crate::look::below::{below, name_below};
use crate::teach::asked::Asked;

/// The formats that tables are written in; SQLite always, since the studio shows it.
pub const FORMATS: [&str; 6] = ["sqlite", "csv", "xlsx", "jsonl", "parquet", "xml"];

/// The file of the first rows of a job, as they are read.
pub const PREVIEW: &str = "rows.jsonl";

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
    /// What below the studio's folder is the site: a folder, a page or a WARC file; the web when
    /// empty.
    #[serde(default)]
    pub pages: String,
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
            pages: String::new(),
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
        if !self.mirror.is_empty() || !self.pages.is_empty() || !options.sources.is_empty() {
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
        if self.verb == JobVerb::Run {
            add("preview", &place.folder.join(PREVIEW));
        }
        let (sources, begin) = self.sources(&entry, place, options)?;
        let is_live = sources.is_empty() && begin.is_none();
        all.extend(sources);
        if let Some(period) = period(&place.folder).filter(|_| is_live) {
            // A run that is repeated is there to see what changed since.
            all.push(format!("--refresh={}", period.as_secs() / 2).into());
        }
        if period(&place.folder).is_some() {
            // Nobody watches it: it looks before it writes, and tells somebody.
            all.extend((self.verb == JobVerb::Run).then(|| "--verify-first".into()));
            let notice = options.notice.iter().filter(|_| self.verb.has_tables());
            all.extend(notice.map(|target| OsString::from(format!("--notice={target}"))));
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
            _ => begin.map_or_else(|| entry.as_str().into(), PathBuf::into_os_string),
        });
        Ok(all)
    }

    /// Where pages come from instead of the web, as arguments; and what on the disk to begin with
    /// instead of the entry's address, since a folder without a first page begins with all of them.
    fn sources(
        &self,
        entry: &Url,
        place: &JobPlace,
        options: &JobOptions,
    ) -> Result<(Vec<OsString>, Option<PathBuf>), String> {
        if let Some(folder) = self.mirror_folder(&place.studio)? {
            let root = entry.join("/").map_err(|_| "the entry has no root".to_owned())?;
            let argument = format!("--mirror={root}={}", folder.display());
            return Ok((vec![argument.into()], None));
        }
        if self.pages.is_empty() {
            return Ok((options.sources.clone(), None));
        }
        let gone = || format!("{} is no longer below the studio's folder.", self.pages);
        let path = below(&place.studio, &self.pages).ok_or_else(gone)?;
        let site = site_on_disk(&path).map_err(|error| error.to_string())?;
        match self.verb != JobVerb::Run && site.entry == *entry {
            true => Ok((Vec::new(), Some(path))),
            false => Ok((vec![disk::argument(&site.source)], None)),
        }
    }

    /// Notes where on the disk the pages are, if somebody began with them there.
    pub fn settle_pages(&mut self, studio: &Path) {
        let path = self.entry(studio).ok().and_then(|entry| disk::path_of(studio, &entry));
        if let Some(path) = path.filter(|_| self.mirror.is_empty()) {
            self.pages = name_below(studio, &path);
        }
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
