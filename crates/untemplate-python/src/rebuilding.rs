//! `untemplate.rebuild`: a site to the tables it was made from, in a folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use untemplate::job::{CrawlResult, JobOptions, read_site};
use untemplate::page::{Event, ParseOptions, Request, Response, SiteScope, normalise};
use untemplate::table::UserSchema;
use untemplate_crawl::{CrawlOptions, LiveOptions, LiveSource, ScheduleOptions, WebSite};
use untemplate_store::table_file::TableFormat;
use untemplate_store::{
    DiskRecordStore, Figures, JobContents, JobFolder, Mirror, PageSource, Reach, SourceError, SourceSite, StopControl,
    WarcArchive, WarcOptions, Written,
};
use url::Url;

use crate::error::{Error, FileError, SiteError, told};
use crate::page::{GivenPage, parse_url};

/// Rebuilds the tables of a site and writes them to the folder `out`, with wrappers and the site's
/// model; `tables.sqlite` is always among them. `source` is pages, a WARC file or several, a mirror
/// as `"URL=DIR"`, or an address, which is fetched politely and kept in `archive` (`out/archive` by
/// default). `entry` is where the site begins: needed for WARC files, else the first page or the
/// source's own address. `formats` are of `jsonl`, `csv`, `parquet`, `parquet-by-class`, `xml`.
///
/// `progress` is called with a dict now and then: `pages`, `estimated`, `downloads`. An exception
/// in it ends the job, which then writes nothing.
///
/// With `wrappers_only` no tables are written but what reads pages like these one at a time, for
/// `SiteReader`.
///
/// Returns a dict: `rows` of each table, `files`, `complete`, `partial_because`, `pages`,
/// `classes`, `downloads`.
#[pyfunction]
#[pyo3(signature = (source, out, *, entry=None, formats=Vec::new(), host_only=false, wrappers_only=false, progress=None, delay=1.0, archive=None))]
#[allow(clippy::too_many_arguments)] // Python's callers name them.
pub fn rebuild<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    out: PathBuf,
    entry: Option<&str>,
    formats: Vec<String>,
    host_only: bool,
    wrappers_only: bool,
    progress: Option<Py<PyAny>>,
    delay: f64,
    archive: Option<PathBuf>,
) -> PyResult<Bound<'py, PyDict>> {
    let source = GivenSource::of(source)?;
    let entry = source.entry(entry)?;
    let delay = delay_of(delay)?;
    let folder = JobFolder {
        folder: out,
        formats: formats
            .iter()
            .map(|format| format_of(format))
            .collect::<PyResult<_>>()?,
        server: None,
        schema: UserSchema::default(),
        entry: Some(entry.clone()),
    };
    let mut options = JobOptions::default();
    if host_only {
        options.model.explore.scope = SiteScope::Host;
    }
    let archive = archive.unwrap_or_else(|| folder.folder.join("archive"));
    let watcher = Watcher {
        progress,
        stop: StopControl::default(),
        failure: Arc::default(),
    };
    let ended = py.detach(|| {
        folder.check().map_err(|error| FileError::new_err(told(&error)))?;
        let source = source.open(&entry, &archive, delay, &watcher.stop)?;
        let job = Job {
            entry: &entry,
            options: &options,
            folder: &folder,
            wrappers_only,
        };
        job.run(source, &watcher)
    })?;
    ended.into_dict(py)
}

fn format_of(name: &str) -> PyResult<TableFormat> {
    use TableFormat::{Csv, JsonLines, Parquet, Sqlite, Xml};
    if name == "parquet-by-class" {
        return Ok(TableFormat::ParquetByClass);
    }
    let found = [JsonLines, Csv, Parquet, Xml, Sqlite]
        .into_iter()
        .find(|format| format.ending() == name);
    found.ok_or_else(|| {
        PyValueError::new_err(format!(
            "{name:?} is no format; give jsonl, csv, parquet, parquet-by-class, xml or sqlite"
        ))
    })
}

/// The pause between requests, in milliseconds; at most a day.
fn delay_of(seconds: f64) -> PyResult<i64> {
    match seconds.is_finite() && (0.0..=86_400.0).contains(&seconds) {
        true => Ok((seconds * 1_000.0) as i64),
        false => Err(PyValueError::new_err(format!(
            "delay {seconds}: give seconds from 0 to 86400"
        ))),
    }
}

/// Where the pages of a site come from.
enum GivenSource {
    Pages(Vec<GivenPage>),
    Warc(Vec<PathBuf>),
    Mirror(String),
    Live(Url),
}

impl GivenSource {
    fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(path) = given.extract::<PathBuf>() {
            let text = path.to_string_lossy();
            let is_address = text.starts_with("http://") || text.starts_with("https://");
            let mut cuts = text.match_indices('=');
            let is_mirror = cuts.any(|(at, _)| Path::new(&text[at + 1..]).is_dir());
            return match (is_address, is_mirror) {
                (true, true) => Ok(Self::Mirror(text.into_owned())),
                (true, false) => Ok(Self::Live(parse_url(&text)?)),
                (false, _) => Ok(Self::Warc(vec![path])),
            };
        }
        let items: Vec<Bound<'_, PyAny>> = given.try_iter()?.collect::<PyResult<_>>()?;
        let paths: PyResult<Vec<PathBuf>> = items.iter().map(|item| item.extract()).collect();
        match paths {
            Ok(paths) if !paths.is_empty() => Ok(Self::Warc(paths)),
            _ => Ok(Self::Pages(
                items.iter().map(|item| item.extract()).collect::<PyResult<_>>()?,
            )),
        }
    }

    fn entry(&self, named: Option<&str>) -> PyResult<Url> {
        match (named, self) {
            (Some(entry), _) => parse_url(entry),
            (None, Self::Live(url)) => Ok(url.clone()),
            (None, Self::Mirror(argument)) => parse_url(argument.split_once('=').map_or("", |(url, _)| url)),
            (None, Self::Pages(pages)) => match pages.first() {
                Some(first) => Ok(first.url.clone()),
                None => Err(SiteError::new_err("there are no pages")),
            },
            (None, Self::Warc(_)) => Err(PyValueError::new_err(
                "give the address of the page to begin at as entry",
            )),
        }
    }

    /// Opens the source; the live web through an archive.
    fn open(self, entry: &Url, archive: &Path, delay_ms: i64, stop: &StopControl) -> PyResult<Box<dyn PageSource>> {
        let bytes_max = WarcOptions::default().body_bytes_max;
        Ok(match self {
            Self::Pages(pages) => Box::new(PagesSource::new(pages)),
            Self::Warc(paths) => Box::new(
                WarcArchive::open(&paths, &WarcOptions::default()).map_err(|error| FileError::new_err(told(&error)))?,
            ),
            Self::Mirror(argument) => Box::new(
                Mirror::from_argument(&argument, bytes_max as u64).map_err(|error| FileError::new_err(told(&error)))?,
            ),
            Self::Live(_) => {
                let folder = archive.to_owned();
                let schedule = match delay_ms {
                    0 => ScheduleOptions::without_delay(),
                    _ => ScheduleOptions::default(),
                };
                let options = LiveOptions {
                    crawl: CrawlOptions {
                        schedule: ScheduleOptions { delay_ms, ..schedule },
                        ..CrawlOptions::of(entry.clone())
                    },
                    archive: Box::new(move |_| folder.clone().into()),
                    refresh_ms: None,
                    redirects_max: REDIRECTS_MAX,
                    watch: Box::new(|_| {}),
                };
                Box::new(LiveSource::new(options, stop))
            }
        })
    }
}

/// Redirects that are followed, as browsers do.
const REDIRECTS_MAX: usize = 20;

/// Pages that somebody has, as a page source; whatever else is asked for is not there.
pub struct PagesSource {
    pages: HashMap<Url, GivenPage>,
}

impl PagesSource {
    /// A source of these pages.
    pub fn new(pages: Vec<GivenPage>) -> Self {
        let pages = pages.into_iter().map(|page| (normalise(page.url.clone()), page));
        Self { pages: pages.collect() }
    }
}

impl PageSource for PagesSource {
    fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
        let url = normalise(request.url.clone());
        let response = self.pages.get(&url).map(GivenPage::response);
        Some(Ok(response.unwrap_or_else(|| Response {
            status: 404,
            ..Response::html(url, Vec::new())
        })))
    }
}

/// Tells how far a job is, and stops it when Python wants to.
struct Watcher {
    progress: Option<Py<PyAny>>,
    stop: StopControl,
    failure: Arc<Mutex<Option<PyErr>>>,
}

impl Watcher {
    /// What is called with every event of a site.
    fn watch(&self) -> impl FnMut(&Event, &Figures) + 'static {
        let progress = Python::attach(|py| self.progress.as_ref().map(|progress| progress.clone_ref(py)));
        let (stop, failure) = (self.stop.clone(), Arc::clone(&self.failure));
        let mut estimated = 0;
        move |event, figures| {
            let pages = match event {
                Event::Estimated(estimate) => {
                    estimated = *estimate;
                    return;
                }
                Event::Found(pages) => *pages,
                _ => return,
            };
            let told = Python::attach(|py| {
                py.check_signals()?;
                let Some(progress) = &progress else { return Ok(()) };
                let dict = PyDict::new(py);
                dict.set_item("pages", pages)?;
                dict.set_item("estimated", estimated)?;
                dict.set_item("downloads", figures.downloads)?;
                progress.bind(py).call1((dict,)).map(drop)
            });
            if let (Err(error), Ok(mut failure)) = (told, failure.lock()) {
                stop.stop();
                failure.get_or_insert(error);
            }
        }
    }

    /// The exception that ended the job, if one did.
    fn failed(&self) -> PyResult<()> {
        let failure = self.failure.lock().ok().and_then(|mut failure| failure.take());
        failure.map_or(Ok(()), Err)
    }
}

/// What is to be done.
struct Job<'a> {
    entry: &'a Url,
    options: &'a JobOptions,
    folder: &'a JobFolder,
    wrappers_only: bool,
}

impl Job<'_> {
    fn run(&self, source: Box<dyn PageSource>, watcher: &Watcher) -> PyResult<Ended> {
        let failed = |error: &dyn std::error::Error| Error::new_err(told(error));
        let mut source = SourceSite::new(vec![source], ParseOptions::default()).watched_by(watcher.watch());
        source.stop = watcher.stop.clone();
        let mut site = WebSite { source };
        let mut record_store =
            DiskRecordStore::create(&self.folder.folder).map_err(|error| FileError::new_err(told(&error)))?;
        let crawl_result =
            read_site(&mut site, &mut record_store, self.entry, self.options).map_err(|error| failed(&error))?;
        watcher.failed()?;
        if crawl_result.readers.is_empty() {
            let why = crawl_result.losses.first().map(|(_, why)| why.as_str());
            let why = why.unwrap_or("there is no page; check the address and the source");
            return Err(SiteError::new_err(format!("cannot begin at {}: {why}", self.entry)));
        }
        let mut ended = Ended::of(&crawl_result, site.source.figures);
        ended.partial_because.append(&mut site.source.losses);
        let written = |error| FileError::new_err(told(&error));
        if self.wrappers_only {
            ended.files = self
                .folder
                .write_reader(&crawl_result, &mut record_store)
                .map_err(written)?;
            return Ok(ended);
        }
        let contents = JobContents::of_crawl(&crawl_result, ended.reach());
        match self.folder.write(contents, &mut record_store).map_err(written)? {
            Some(written) => ended.take(written),
            None => ended
                .partial_because
                .push("nothing was written: the tables of an earlier run have more rows, or there are none".to_owned()),
        }
        Ok(ended)
    }
}

/// How a job ended.
struct Ended {
    rows: Vec<(String, usize)>,
    files: Vec<PathBuf>,
    partial_because: Vec<String>,
    n_pages: usize,
    n_classes: usize,
    downloads: usize,
    is_stopped: bool,
}

impl Ended {
    fn of(crawl_result: &CrawlResult, figures: Figures) -> Self {
        let losses = crawl_result.losses.iter();
        let mut why: Vec<String> = losses.map(|(url, reason)| format!("{url}: {reason}")).collect();
        if crawl_result.n_refused > 0 {
            why.push(format!(
                "{} addresses are forbidden by robots.txt or lie out of reach",
                crawl_result.n_refused
            ));
        }
        why.extend(figures.stopped_because.map(|reason| reason.to_string()));
        Self {
            rows: Vec::new(),
            files: Vec::new(),
            partial_because: why,
            n_pages: crawl_result.readers.iter().map(|reader| reader.pages.len()).sum(),
            n_classes: crawl_result.readers.len(),
            downloads: figures.downloads,
            is_stopped: crawl_result.is_stopped,
        }
    }

    fn reach(&self) -> Reach {
        match (self.partial_because.is_empty(), self.is_stopped) {
            (_, true) => Reach::Cut,
            (true, false) => Reach::Complete,
            (false, false) => Reach::Partial,
        }
    }

    fn take(&mut self, written: Written) {
        let names = written.database.tables.into_iter().map(|table| table.name);
        self.rows = names.zip(written.n_rows).collect();
        self.files = written.files;
    }

    fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let rows = PyDict::new(py);
        for (table, n_rows) in &self.rows {
            rows.set_item(table, n_rows)?;
        }
        let dict = PyDict::new(py);
        dict.set_item("rows", rows)?;
        let files: Vec<String> = self.files.iter().map(|file| file.display().to_string()).collect();
        dict.set_item("files", files)?;
        dict.set_item("complete", self.partial_because.is_empty() && !self.is_stopped)?;
        dict.set_item("partial_because", self.partial_because)?;
        dict.set_item("pages", self.n_pages)?;
        dict.set_item("classes", self.n_classes)?;
        dict.set_item("downloads", self.downloads)?;
        Ok(dict)
    }
}
