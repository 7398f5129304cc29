//! What a person names as the start of a run: an address, with or without its scheme, a folder, a
//! page, or a WARC file.
//!
//! In: the argument. Out: an address, and where else to start. A folder, a page or a WARC file
//! becomes a page source by that, so that the network is never touched.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use untemplate::page::Request;
use untemplate_crawl::ask_whether_it_answers;
use untemplate_store::archive::{ArchivePlace, ArchiveReader, PageStore};
use untemplate_store::{DiskSource, Mirror, SiteOnDisk, WarcArchive, WarcOptions, is_warc, site_on_disk};
use url::Url;

use crate::arguments::{OutputArguments, PolitenessArguments, ReachArguments, SourceArguments};
use crate::outcome::WrongUsage;
use crate::output::say;
use crate::politeness::{client, default_folder};
use crate::reach::addresses_in;

/// Where a run starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its first page.
    pub url: Url,
    /// Its other first pages, where there is no one page that leads to them.
    pub starts: Vec<Url>,
}

/// The entry of a run; what it is a source of is added to the sources. Without one, the first start
/// is it.
pub fn find_entry(
    argument: Option<&str>,
    reach: &ReachArguments,
    sources: &mut SourceArguments,
    output: &OutputArguments,
) -> Result<Entry> {
    match (argument, &reach.start) {
        (Some(argument), _) => named_entry(argument, sources, output),
        (None, Some(file)) => {
            let starts = addresses_in(file)?;
            let url = starts[0].clone();
            Ok(Entry { url, starts })
        }
        (None, None) => bail!(WrongUsage(
            "there is nothing to start from; give an address, a folder, a page or a WARC file".to_owned()
        )),
    }
}

/// The sample page of a run: a file becomes a page of the mirror that its folder is, unless it was
/// said what it belongs to.
pub fn find_sample(argument: &str, sources: &mut SourceArguments) -> Result<String> {
    let is_said = sources.base.is_some() || !sources.mirror.is_empty() || !sources.warc.is_empty();
    match named_path(argument)? {
        Some(path) if path.is_file() && !is_said => Ok(page(&path, sources)?.url.into()),
        _ => Ok(argument.to_owned()),
    }
}

/// What a person names.
fn named_entry(argument: &str, sources: &mut SourceArguments, output: &OutputArguments) -> Result<Entry> {
    if let Some(path) = named_path(argument)? {
        let entry = match path.is_dir() || is_warc(&path) {
            true => site(site_on_disk(&path)?, sources),
            false => page(&path, sources)?,
        };
        let message = match entry.starts.len() {
            0 | 1 => format!("{argument} is read as {}", entry.url),
            n_starts => format!("{argument} is read as {n_starts} pages of {}", host_of(&entry.url)),
        };
        say(output, &message);
        return Ok(entry);
    }
    let url = web_address(argument, &Around::of(sources, output))?;
    let starts = Vec::new();
    Ok(Entry { url, starts })
}

fn host_of(url: &Url) -> String {
    url.join("/").map_or_else(|_| url.to_string(), String::from)
}

/// The file or folder that an argument names, if it names one that is there.
fn named_path(argument: &str) -> Result<Option<PathBuf>> {
    if argument.starts_with("file:") {
        let path = Url::parse(argument).ok().and_then(|url| url.to_file_path().ok());
        let path = path.ok_or_else(|| anyhow!(WrongUsage(format!("{argument} names no file of this machine"))))?;
        return match path.exists() {
            true => Ok(Some(path)),
            false => Err(anyhow!("there is no {}; check its name", path.display())),
        };
    }
    let path = PathBuf::from(argument);
    Ok((!argument.contains("://") && path.exists()).then_some(path))
}

/// Makes what is on the disk a page source.
fn site(site: SiteOnDisk, sources: &mut SourceArguments) -> Entry {
    add_source(&site.source, sources);
    Entry {
        url: site.entry,
        starts: site.starts,
    }
}

/// Adds what answers for a site on disk to the page sources.
pub fn add_source(source: &DiskSource, sources: &mut SourceArguments) {
    match source {
        DiskSource::Mirror { base, folder } => sources.mirror.push(format!("{base}={}", folder.display())),
        DiskSource::Warc(file) => sources.warc.push(file.clone()),
    }
}

/// Makes the folder of a page a mirror, at the address that the page says or that was given.
fn page(path: &Path, sources: &mut SourceArguments) -> Result<Entry> {
    let (Some(base), Some(folder), Some(name)) = (&sources.base, path.parent(), path.file_name()) else {
        return Ok(site(site_on_disk(path)?, sources));
    };
    let base = Url::parse(base).and_then(|base| base.join("./"));
    let base = base.map_err(|error| WrongUsage(format!("--base is no address ({error})")))?;
    let folder = if folder == Path::new("") {
        Path::new(".")
    } else {
        folder
    };
    let start = base
        .join(&name.to_string_lossy())
        .context("the page's name fits in no address")?;
    let folder = folder.to_owned();
    add_source(&DiskSource::Mirror { base, folder }, sources);
    Ok(Entry {
        url: start.clone(),
        starts: vec![start],
    })
}

/// What tells the scheme of an address without one.
pub struct Around<'a> {
    /// Mirrors, as arguments.
    pub mirror: &'a [String],
    /// WARC files.
    pub warc: &'a [PathBuf],
    /// Where the archive is, if it was said.
    pub archive: Option<&'a ArchivePlace>,
    /// How hosts are asked.
    pub politeness: &'a PolitenessArguments,
    /// Where messages go.
    pub output: &'a OutputArguments,
}

impl<'a> Around<'a> {
    /// What page sources tell.
    pub fn of(sources: &'a SourceArguments, output: &'a OutputArguments) -> Self {
        Self {
            mirror: &sources.mirror,
            warc: &sources.warc,
            archive: sources.archive.as_ref(),
            politeness: &sources.politeness,
            output,
        }
    }
}

/// The address that a person typed: as it is, or with the scheme that its host answers by.
pub fn web_address(text: &str, around: &Around<'_>) -> Result<Url> {
    let is_whole = text.contains("://");
    if is_whole {
        return match Url::parse(text) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url),
            Ok(url) => Err(WrongUsage(format!(
                "{text}: pages cannot be had by {}; give an http or https address, a folder or a file",
                url.scheme()
            ))
            .into()),
            Err(error) => Err(WrongUsage(format!(
                "{text} is no address ({error}); give one such as http://site.example/"
            ))
            .into()),
        };
    }
    let Some([secure, plain]) = addresses_of(text) else {
        let text = if text.is_empty() { "an empty name" } else { text };
        bail!(WrongUsage(format!(
            "{text} is no address, and no file or folder of that name is here; give an address such as http://site.example/, or check the name"
        )));
    };
    if let Some(url) = known_address(&[&secure, &plain], around)? {
        return Ok(url);
    }
    let options = client(around.politeness, &secure)?;
    let Err(by_https) = ask_whether_it_answers(&secure, &options) else {
        return Ok(secure);
    };
    match ask_whether_it_answers(&plain, &options) {
        Ok(()) => {
            say(
                around.output,
                &format!("{text} is asked by http, since it does not answer by https"),
            );
            Ok(plain)
        }
        Err(by_http) => {
            let (by_https, by_http) = (cause_of(&by_https.to_string()), cause_of(&by_http.to_string()));
            let cause = match by_https == by_http {
                true => by_http,
                false => format!("{by_https} by https, {by_http} by http"),
            };
            Err(anyhow!(
                "{text} answers neither by https nor by http: {cause}; check the address and the network"
            ))
        }
    }
}

/// What went wrong with a request, without its address, which is known, and the advice, which is
/// given once.
fn cause_of(message: &str) -> String {
    let cause = message.split("; ").next().unwrap_or(message);
    let cause = match cause.split_once(": ") {
        Some((url, cause)) if url.contains("://") => cause,
        _ => cause,
    };
    cause.to_owned()
}

/// Endings of files that somebody may have meant to name; no host ends so.
const FILE_ENDINGS: [&str; 10] = ["html", "htm", "warc", "gz", "zst", "xml", "json", "txt", "csv", "toml"];

/// The addresses by https and http that a text without a scheme may mean, if it may be one.
fn addresses_of(text: &str) -> Option<[Url; 2]> {
    let host = text.split(['/', '?', '#']).next().unwrap_or_default();
    let (name, port) = host.rsplit_once(':').unwrap_or((host, ""));
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let has_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_host = match &ending {
        Some(ending) => !ending.is_empty() && !FILE_ENDINGS.contains(&ending.as_str()),
        None => name.eq_ignore_ascii_case("localhost") || has_port,
    };
    let is_plain = !host.starts_with(['.', '-']) && !text.contains(char::is_whitespace) && !text.contains('@');
    let url = |scheme: &str| Url::parse(&format!("{scheme}://{text}")).ok();
    (is_host && is_plain)
        .then(|| Some([url("https")?, url("http")?]))
        .flatten()
}

/// Whether a text without a scheme may be an address.
pub fn may_be_address(text: &str) -> bool {
    addresses_of(text).is_some()
}

/// The address that a page source stands for, or that was kept in an earlier run; neither asks the
/// network.
fn known_address(urls: &[&Url; 2], around: &Around<'_>) -> Result<Option<Url>> {
    let same_host = |left: &Url, right: &Url| (left.host(), left.port()) == (right.host(), right.port());
    for argument in around.mirror {
        let base = Mirror::from_argument(argument, 0).map(|mirror| mirror.base().clone());
        let Ok(base) = base else { continue };
        if let Some(url) = urls
            .iter()
            .find(|url| url.scheme() == base.scheme() && same_host(url, &base))
        {
            return Ok(Some((*url).clone()));
        }
    }
    if !around.warc.is_empty() {
        let archive = WarcArchive::open(around.warc, &WarcOptions::default())?;
        let has = |url: &&&Url| {
            let is_of = |request: Request| request.url.scheme() == url.scheme() && same_host(url, &request.url);
            archive.requests().any(is_of)
        };
        return Ok(Some(
            urls.iter()
                .find(has)
                .map_or_else(|| urls[1].clone(), |url| (*url).clone()),
        ));
    }
    if !around.mirror.is_empty() {
        return Ok(Some(urls[1].clone()));
    }
    let folder = match around.archive {
        // Whether a server has the page is not worth a worker's registration.
        Some(ArchivePlace::Server(_)) => return Ok(None),
        Some(ArchivePlace::Folder(folder)) => folder.clone(),
        None => default_folder(urls[0]),
    };
    let Ok(mut reader) = ArchiveReader::open(&folder) else {
        return Ok(None);
    };
    let mut is_kept = |url: &&&Url| matches!(reader.page(&Request::get((**url).clone())), Ok(Some(_)));
    Ok(urls.iter().find(|url| is_kept(url)).map(|url| (*url).clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_host() {
        let check = |text: &str, expected: Option<&str>| {
            let plain = addresses_of(text).map(|[_, plain]| plain.to_string());
            assert_eq!(plain.as_deref(), expected, "{text}");
        };
        check("site.example", Some("http://site.example/"));
        check("site.example/a?b", Some("http://site.example/a?b"));
        check("127.0.0.1:8991/x", Some("http://127.0.0.1:8991/x"));
        check("localhost", Some("http://localhost/"));
        check("localhost:80", Some("http://localhost/"));
        check("page.html", None);
        check("archive.warc.gz", None);
        check("folder", None);
        check("./folder.d", None);
        check("two words.example", None);
        check("somebody@site.example", None);
    }
}
