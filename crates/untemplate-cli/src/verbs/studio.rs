//! `untemplate teach` and `untemplate studio`: pages for a browser, served until the program is
//! interrupted.
//!
//! What a crawled page shows is asked for on its word alone, so private addresses are refused
//! unless the entry itself is one; then its own host is all that is asked.

use std::ffi::OsString;
use std::net::ToSocketAddrs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use untemplate_crawl::is_public;
use untemplate_store::DiskSource;
use untemplate_studio::teach::lobby::lesson_file;
use untemplate_studio::{FindAddress, JobOptions, LessonOptions, OpenSite, Studio, StudioOptions};
use url::Url;

use super::studio_doorway::Doorway;
use crate::arguments::{
    ListenArguments, OutputArguments, PolitenessArguments, ReachArguments, SourceArguments, StudioArguments,
    TeachArguments,
};
use crate::entry::{Around, add_source, find_entry, web_address};
use crate::interrupt::{control, listen_without_deadline};
use crate::outcome::Outcome;
use crate::output::{say, write_result};
use crate::sources::open_site;
use crate::summary::summarised;

/// Serves a lesson.
pub fn teach(arguments: &TeachArguments) -> Result<Outcome> {
    summarised("teach", &arguments.output, |_| {
        let mut sources = arguments.sources.clone();
        let reach = ReachArguments::default();
        let entry = find_entry(Some(&arguments.entry), &reach, &mut sources, &arguments.output)?.url;
        let is_private = is_private(&entry);
        let default_file = || lesson_file(Path::new(""), &entry, |_| false);
        let lesson = LessonOptions {
            file: arguments.lesson.clone().unwrap_or_else(default_file),
            specification: arguments.spec.clone(),
            own_host_only: is_private,
            entry,
        };
        let folder = PathBuf::from(".");
        serve(
            Some(lesson),
            folder,
            &arguments.listen,
            &sources,
            // Who teaches at a private address means it, and may run there what was taught.
            job_options(&sources, is_private, None),
            &arguments.output,
        )
    })
}

/// Serves what is in a folder.
pub fn studio(arguments: &StudioArguments) -> Result<Outcome> {
    summarised("studio", &arguments.output, |_| {
        if !arguments.folder.is_dir() {
            bail!("{} is no folder; name one that is there", arguments.folder.display());
        }
        let folder = arguments.folder.clone();
        serve(
            None,
            folder,
            &arguments.listen,
            &arguments.sources,
            job_options(&arguments.sources, arguments.allow_private, arguments.notice.clone()),
            &arguments.output,
        )
    })
}

fn serve(
    lesson: Option<LessonOptions>,
    folder: PathBuf,
    listen: &ListenArguments,
    sources: &SourceArguments,
    jobs: JobOptions,
    output: &OutputArguments,
) -> Result<Outcome> {
    // Jobs are interrupted before the program ends, so that it is the one who is told.
    listen_without_deadline();
    let its_folder = folder.clone();
    let studio = Studio::start(StudioOptions {
        ip: listen.address,
        port: listen.port,
        folder,
        lesson,
        open_site: opener(sources, output),
        is_private: Arc::new(is_private),
        find_address: address_finder(sources, output),
        jobs,
    })?;
    let address = studio.url();
    write_result(output, format!("{address}\n").as_bytes())?;
    if !listen.address.is_loopback() {
        say(
            output,
            "other machines can reach it, too; whoever has the address can do all that you can",
        );
    }
    // It is there as long as we are.
    let doorway = (!listen.no_open)
        .then(|| Doorway::write(&its_folder, &address))
        .transpose();
    let is_open = doorway
        .as_ref()
        .is_ok_and(|door| door.as_ref().is_none_or(|door| open_browser(door.file())));
    if !is_open {
        say(output, "no browser could be opened; open the address in one");
    }
    say(output, "serving until interrupted (Ctrl-C)");
    while !control().is_stopping() {
        thread::sleep(LOOK_EVERY);
    }
    drop(studio);
    Ok(Outcome::Interrupted)
}

/// How often an interrupt is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The politeness that the studio was given, for its jobs; that of private addresses is a matter of
/// its own.
fn politeness_of(politeness: &PolitenessArguments) -> Vec<OsString> {
    let mut all = vec![
        format!("--delay={}", politeness.delay),
        format!("--workers={}", politeness.workers),
        format!("--patience={}", politeness.patience),
    ];
    all.extend(politeness.user_agent.iter().map(|text| format!("--user-agent={text}")));
    all.extend(politeness.contact.iter().map(|text| format!("--contact={text}")));
    all.extend(politeness.header.iter().map(|text| format!("--header={text}")));
    let cookies = politeness.cookies.iter();
    all.extend(cookies.map(|file| format!("--cookies={}", file.display())));
    all.extend(politeness.no_robots.then(|| "--no-robots".to_owned()));
    all.extend(
        politeness
            .strip_parameter
            .iter()
            .map(|name| format!("--strip-parameter={name}")),
    );
    all.extend(
        politeness
            .keep_parameter
            .iter()
            .map(|name| format!("--keep-parameter={name}")),
    );
    all.extend(politeness.keep_parameters.then(|| "--keep-parameters".to_owned()));
    all.into_iter().map(OsString::from).collect()
}

/// How jobs are started: with pages from the mirrors and WARC files that the studio was given, or
/// from the web.
fn job_options(sources: &SourceArguments, allow_private: bool, notice: Option<String>) -> JobOptions {
    let mirrors = sources
        .mirror
        .iter()
        .map(|mirror| OsString::from(format!("--mirror={mirror}")));
    let files = sources.warc.iter().map(|file| {
        let mut argument = OsString::from("--warc=");
        argument.push(file);
        argument
    });
    JobOptions {
        sources: mirrors.chain(files).collect(),
        politeness: politeness_of(&sources.politeness),
        notice,
        is_public_only: !allow_private || sources.politeness.public_only,
        ..JobOptions::default()
    }
}

/// Opens page sources as the arguments say, each on the thread that uses it.
fn opener(sources: &SourceArguments, output: &OutputArguments) -> OpenSite {
    let sources = sources.clone();
    let output = output.clone();
    // Whether the entry is private was decided when the lesson was opened: another answer of its
    // name server changes nothing.
    Arc::new(move |entry: &Url, own_host_only: bool, on_disk: Option<&DiskSource>| {
        let mut sources = sources.clone();
        on_disk.into_iter().for_each(|source| add_source(source, &mut sources));
        sources.politeness.public_only |= !own_host_only;
        sources.only_origin = own_host_only.then(|| entry.clone());
        open_site(&sources, &output, false).map_err(|error| format!("{error:#}"))
    })
}

/// Finds the scheme that a host answers by, for what was typed without one.
fn address_finder(sources: &SourceArguments, output: &OutputArguments) -> FindAddress {
    let (sources, output) = (sources.clone(), output.clone());
    Arc::new(move |text: &str| web_address(text, &Around::of(&sources, &output)).map_err(|error| format!("{error:#}")))
}

/// Whether a host is inside a private network, this machine included. A name that leads nowhere is
/// not: it may stand for a mirror.
fn is_private(url: &Url) -> bool {
    let port = url.port_or_known_default().unwrap_or(80);
    let host = url.host_str().unwrap_or("").trim_matches(['[', ']']);
    let addresses = (host, port).to_socket_addrs();
    addresses.is_ok_and(|mut addresses| addresses.any(|address| !is_public(address.ip())))
}

/// Opens the machine's browser with a file; false when there is none to be started.
fn open_browser(file: &Path) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("explorer", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(file);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
