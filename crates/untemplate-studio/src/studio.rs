//! The studio as a server: started, told where it is, stopped.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::oneshot;
use untemplate_store::site_on_disk;
use url::Url;

use crate::disk;
use crate::jobs::{JobOptions, Jobs, schedule};
use crate::look::tables::statistics;
use crate::router::router;
use crate::safe::access::AccessCheck;
use crate::safe::secret::new_secret;
use crate::site_thread::{OpenEntry, OpenSite};
use crate::teach::Room;

/// How long open connections have when the studio stops.
const STOP_LIMIT: Duration = Duration::from_millis(200);

/// How a studio is started.
pub struct StudioOptions {
    /// Where it listens; loopback, unless somebody said otherwise.
    pub ip: IpAddr,
    /// The port; 0 takes a free one.
    pub port: u16,
    /// The folder whose crawls, models, tables and lessons are shown.
    pub folder: PathBuf,
    /// The lesson that is taught, if one is.
    pub lesson: Option<LessonOptions>,
    /// Where pages come from.
    pub open_site: OpenSite,
    /// Tells entries inside a private network from others.
    pub is_private: IsPrivate,
    /// Finds the whole address of what was typed without a scheme.
    pub find_address: FindAddress,
    /// How jobs are started.
    pub jobs: JobOptions,
}

/// Whether an address is inside a private network, this machine included.
pub type IsPrivate = Arc<dyn Fn(&Url) -> bool + Send + Sync>;

/// The address of a host that was typed without a scheme, by which scheme it answers; the text says
/// why there is none.
pub type FindAddress = Arc<dyn Fn(&str) -> Result<Url, String> + Send + Sync>;

/// A lesson: what is taught about a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonOptions {
    /// Where teaching begins.
    pub entry: Url,
    /// The file that keeps what was said.
    pub file: PathBuf,
    /// The file that the specification is written to, after every choice.
    pub specification: Option<PathBuf>,
    /// Whether pictures and style sheets are taken from the entry's own host alone: those of an
    /// entry inside a private network.
    pub own_host_only: bool,
}

/// Why a studio could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StudioError {
    /// The port is not to be had.
    #[error("cannot listen on {address}: {source}; try another --port, or none for a free one")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// The background thread could not be started.
    #[error("cannot start the studio's thread: {source}; try again when the machine is less busy")]
    Thread {
        /// What the system said.
        source: std::io::Error,
    },
    /// No random numbers.
    #[error("the system gives no random numbers, so that nobody could be kept out; try again later")]
    NoSecret,
    /// A lesson cannot be read.
    #[error(transparent)]
    Lesson(#[from] untemplate_store::LessonFileError),
}

/// What all parts of the studio share.
pub struct StudioState {
    /// What every request is checked against.
    pub access: Arc<AccessCheck>,
    /// Where we are from this machine, without a slash at the end: `http://127.0.0.1:4000`.
    pub origin: String,
    /// The folder that is shown.
    pub folder: PathBuf,
    /// Where pages come from.
    pub open_site: OpenSite,
    /// Tells entries inside a private network from others.
    pub is_private: IsPrivate,
    /// Finds the whole address of what was typed without a scheme.
    pub find_address: FindAddress,
    /// The jobs that were started.
    pub jobs: Jobs,
    /// What columns of tables hold, as far as anybody looked.
    pub statistics: statistics::Kept,
    rooms: Mutex<BTreeMap<String, Arc<Room>>>,
}

impl StudioState {
    /// The address of one of our own pages: `path` begins with a slash.
    pub fn at(&self, path: &str) -> String {
        format!("/{}{path}", self.access.key)
    }

    /// The address of something that crawled pages may know of.
    pub fn view_at(&self, path: &str) -> String {
        format!("/{}{path}", self.access.pass)
    }

    /// A lesson by its name.
    pub fn room(&self, name: &str) -> Option<Arc<Room>> {
        self.rooms().get(name).cloned()
    }

    /// All lessons that are open, by name.
    pub fn room_names(&self) -> Vec<String> {
        self.rooms().keys().cloned().collect()
    }

    /// The entry of the lesson that is open from a file, if one is.
    pub fn entry_in(&self, file: &Path) -> Option<Url> {
        let rooms = self.rooms();
        let room = rooms.values().find(|room| room.options.file == file)?;
        Some(room.options.entry.clone())
    }

    /// Opens a lesson; the same file is opened once, and two files of one name are two lessons.
    pub fn enter(&self, options: LessonOptions) -> Result<Arc<Room>, StudioError> {
        let mut rooms = self.rooms();
        if let Some(room) = rooms.values().find(|room| room.options.file == options.file) {
            return match room.options.entry == options.entry {
                true => Ok(Arc::clone(room)),
                false => Err(StudioError::Lesson(untemplate_store::LessonFileError::Wrong {
                    file: options.file,
                    reason: format!("it is about {}, and not about {}", room.options.entry, options.entry),
                })),
            };
        }
        let own = Room::name_of(&options);
        let numbered = (2_usize..).map(|number| format!("{own}-{number}"));
        let mut names = std::iter::once(own.clone()).chain(numbered);
        let name = names.find(|name| !rooms.contains_key(name)).unwrap_or(own);
        // A site that is on the disk is asked for nowhere else.
        let on_disk = disk::path_of(&self.folder, &options.entry).and_then(|path| site_on_disk(&path).ok());
        let on_disk = on_disk.map(|site| site.source);
        let open_site = Arc::clone(&self.open_site);
        let open: OpenEntry = Arc::new(move |entry, own_host_only| open_site(entry, own_host_only, on_disk.as_ref()));
        let room = Arc::new(Room::open(&name, options, open)?);
        rooms.insert(name, Arc::clone(&room));
        Ok(room)
    }

    fn rooms(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running studio; it stops when dropped.
pub struct Studio {
    studio: Arc<StudioState>,
    first_page: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Studio {
    /// Starts a studio.
    pub fn start(options: StudioOptions) -> Result<Self, StudioError> {
        let wanted = SocketAddr::from((options.ip, options.port));
        let (listener, address) = listen(wanted).map_err(|source| StudioError::Listen {
            address: wanted,
            source,
        })?;
        let (Some(key), Some(pass)) = (new_secret(), new_secret()) else {
            return Err(StudioError::NoSecret);
        };
        let studio = Arc::new(StudioState {
            access: Arc::new(AccessCheck::new(key, pass, address)),
            origin: format!("http://{}", reachable(address)),
            jobs: Jobs::new(&options.folder, options.jobs),
            statistics: statistics::Kept::default(),
            folder: options.folder,
            open_site: options.open_site,
            is_private: options.is_private,
            find_address: options.find_address,
            rooms: Mutex::default(),
        });
        let first_page = match options.lesson {
            Some(lesson) => format!("/teach/{}", studio.enter(lesson)?.name),
            None => "/".to_owned(),
        };
        let failed = |source| StudioError::Thread { source };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(failed)?;
        let (stop, stopped) = oneshot::channel();
        let its = Arc::clone(&studio);
        let thread = std::thread::Builder::new()
            .name("studio".to_owned())
            .spawn(move || {
                runtime.block_on(serve(listener, its, stopped));
                runtime.shutdown_timeout(STOP_LIMIT);
            })
            .map_err(failed)?;
        Ok(Self {
            studio,
            first_page,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// The address to open in a browser, secret included.
    pub fn url(&self) -> String {
        format!("{}{}", self.studio.origin, self.studio.at(&self.first_page))
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so itself; there is nothing left to wait for.
            thread.join().ok();
        }
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.send(()).ok();
        }
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
        self.studio.jobs.stop_all();
    }
}

/// Where a server is reached from this machine: one that listens everywhere is on loopback, too.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => SocketAddr::from((Ipv4Addr::LOCALHOST, address.port())),
        IpAddr::V6(ip) if ip.is_unspecified() => SocketAddr::from((Ipv6Addr::LOCALHOST, address.port())),
        _ => address,
    }
}

fn listen(address: SocketAddr) -> std::io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

async fn serve(listener: TcpListener, studio: Arc<StudioState>, stopped: oneshot::Receiver<()>) {
    let listener = tokio::net::TcpListener::from_std(listener).expect("a listener that does not block can be served");
    tokio::spawn(schedule::keep(Arc::clone(&studio)));
    tokio::select! {
        result = axum::serve(listener, router(studio)) => result.expect("axum serves until it is stopped"),
        _ = stopped => {}
    }
}
