//! The archive on SQLite does what every archive must.

mod archive_builder;
mod archive_conformance;

use untemplate_store::archive::{ArchiveOptions, SqliteArchive, UnixMillis};

/// One test for each thing that an archive must do.
macro_rules! conformance {
    ($($part:ident: $($name:ident)*;)*) => {
        $($(
            #[test]
            fn $name() {
                let folder = tempfile::tempdir().expect("a folder");
                let archive = SqliteArchive::open(folder.path(), &ArchiveOptions::default(), UnixMillis(0));
                archive_conformance::$part::$name(archive.expect("an archive"));
            }
        )*)*
    };
}

archive_conformance::every_conformance!(conformance);
