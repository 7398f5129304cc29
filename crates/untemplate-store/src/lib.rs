//! Pages on disk: whatever answers requests without touching the network.
//!
//! A [`PageSource`] gives raw answers and has no opinion on them: [`Mirror`] answers from a folder
//! of files, [`WarcArchive`] from WARC files. Parsing is elsewhere. An [`archive`] keeps a crawl:
//! its schedule and every page.
//!
//! ```
//! use untemplate::page::Request;
//! use untemplate_store::{Mirror, PageSource};
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("index.html"), "<p>Hello")?;
//! let mut mirror = Mirror::open("http://site.example/", folder.path(), 1 << 20)?;
//! let answer = mirror.answer(&Request::get("http://site.example/".parse()?)).expect("the mirror stands for this site");
//! let response = answer?;
//! assert_eq!(response.url.as_str(), "http://site.example/index.html");
//! assert_eq!(response.body, b"<p>Hello");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod archive;
mod calendar;
mod codec;
mod content_coding;
mod disk_record_store;
mod earlier_job;
mod job_folder;
mod kept_source;
mod lesson_file;
mod link_depths;
mod mirror;
mod model_file;
mod redirect;
mod schema_file;
#[cfg(feature = "postgres")]
mod server_login;
#[cfg(feature = "postgres")]
mod server_tls;
mod site_on_disk;
mod site_reader_file;
mod source;
mod source_site;
mod specification_file;
mod stop_control;
mod stop_reason;
pub mod table_file;
mod table_server;
mod warc;
mod whole_file;
mod wrapper_file;

pub use archive::UnixMillis;
pub use calendar::{date_of, days_since_1970};
pub use content_coding::{BodyLimits, BodyUnpacker};
pub use disk_record_store::DiskRecordStore;
pub use job_folder::{JobContents, JobFolder, JobFolderError, Reach, Written};
pub use kept_source::KeptSource;
pub use lesson_file::{
    LessonFile, LessonFileError, lesson_text, parse_lesson, read_lesson, rewrite_lesson, write_lesson,
};
pub use link_depths::LinkDepths;
pub use mirror::{Mirror, MirrorError, MirroredFolder, mirrored_folder, mirrored_page};
pub use model_file::{MODEL_VERSION, ModelFileError, parse_model, read_model, write_model};
pub use redirect::RedirectTrail;
pub use schema_file::{
    ColumnWish, SCHEMA_FILE, SchemaFacts, SchemaFileError, TableWish, as_written, change_schema, is_changed,
    parse_schema, read_schema, read_wishes, schema_text, type_words,
};
pub use site_on_disk::{DiskSource, SiteOnDisk, SiteOnDiskError, is_warc, site_on_disk};
pub use site_reader_file::{is_site_reader, parse_site_reader, write_site_reader};
pub use source::{PageSource, SourceCounts, SourceError, first_answer};
pub use source_site::{Figures, SOFT_404, SiteLimits, SourceSite, moment_text, no_source};
pub use specification_file::{
    SpecificationFileError, SpecificationTextError, parse_specification, read_specification, specification_text,
};
pub use stop_control::StopControl;
pub use stop_reason::StopReason;
pub use table_server::{TableServer, TableServerError, without_password};
pub use warc::{
    HttpMessage, Location, RecordReader, WarcArchive, WarcOptions, WarcRecord, damage_of, page_of_record,
    read_http_response,
};
pub use whole_file::{WholeFile, write_whole};
pub use wrapper_file::{Extractor, Wrapper, WrapperFileError, read_wrapper, write_wrapper};
