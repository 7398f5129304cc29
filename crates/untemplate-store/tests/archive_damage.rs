//! Files that are damaged, foreign or in use: a clear error that names the file and says what to
//! try.

mod archive_builder;

use std::fs;
use std::path::Path;

use archive_builder::{claim, content, new_request, page_outcome, request};
use expect_test::{Expect, expect};
use untemplate_store::archive::{
    ArchiveError, ArchiveOptions, ArchiveReader, Frontier, PageStore, SqliteArchive, UnixMillis,
};

fn open(folder: &Path) -> Result<SqliteArchive, ArchiveError> {
    SqliteArchive::open(folder, &ArchiveOptions::default(), UnixMillis(0))
}

/// An archive with two pages, the second one after the first.
fn fill(folder: &Path) {
    let mut archive = open(folder).expect("an archive");
    archive
        .add(
            &[new_request("http://a/", 1.0), new_request("http://b/", 0.0)],
            UnixMillis(0),
        )
        .expect("added");
    for body in [b"the first page", b"the other page"] {
        let claims = claim(&mut archive, 0, 1);
        archive
            .commit(&[page_outcome(&claims[0], body)], UnixMillis(0))
            .expect("committed");
    }
}

fn check_error<T>(folder: &Path, result: Result<T, ArchiveError>, expected: Expect) {
    let error = result.err().expect("an error").to_string();
    expected.assert_eq(&error.replace(&*folder.to_string_lossy(), "DIR"));
}

fn body(archive: &mut impl PageStore, url: &str) -> Result<Vec<u8>, ArchiveError> {
    let page = archive.page(&request(url))?.expect("stored");
    archive.body(page.id)
}

/// Changes the one file of bodies; returns the archive afterwards.
fn with_bodies(folder: &Path, change: impl FnOnce(&mut Vec<u8>)) -> SqliteArchive {
    fill(folder);
    let path = folder.join("bodies/000001.zst");
    let mut bytes = fs::read(&path).expect("bodies");
    change(&mut bytes);
    fs::write(&path, bytes).expect("changed");
    open(folder).expect("it opens")
}

#[test]
fn a_changed_byte_costs_one_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut archive = with_bodies(folder.path(), |bytes| bytes[12] ^= 1);
    check_error(
        folder.path(),
        body(&mut archive, "http://a/"),
        expect![
            "DIR/bodies/000001.zst is damaged: a body cannot be unpacked: Restored data doesn't match checksum, at byte 0; put back a copy of the folder, or crawl into another one"
        ],
    );
    assert_eq!(body(&mut archive, "http://b/").expect("the other"), b"the other page");
}

#[test]
fn missing_bytes_cost_what_was_in_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut archive = with_bodies(folder.path(), |bytes| bytes.truncate(bytes.len() - 1));
    assert_eq!(body(&mut archive, "http://a/").expect("the first"), b"the first page");
    check_error(
        folder.path(),
        body(&mut archive, "http://b/"),
        expect![
            "DIR/bodies/000001.zst is damaged: a body is missing, at byte 27; put back a copy of the folder, or crawl into another one"
        ],
    );
    // New pages go to another file, so that the damaged one stays as it is.
    archive
        .add(&[new_request("http://c/", 0.0)], UnixMillis(0))
        .expect("added");
    let claims = claim(&mut archive, 0, 1);
    archive
        .commit(&[page_outcome(&claims[0], b"new")], UnixMillis(0))
        .expect("committed");
    assert_eq!(body(&mut archive, "http://c/").expect("the new one"), b"new");
    assert!(folder.path().join("bodies/000002.zst").exists());
}

#[test]
fn bytes_that_no_row_names_are_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut archive = with_bodies(folder.path(), |bytes| bytes.extend([7; 1000]));
    assert!(
        fs::metadata(folder.path().join("bodies/000001.zst"))
            .expect("there")
            .len()
            < 1000
    );
    assert_eq!(content(&mut archive).len(), 2);
}

#[test]
fn a_missing_file_of_bodies() {
    let folder = tempfile::tempdir().expect("a folder");
    fill(folder.path());
    fs::remove_dir_all(folder.path().join("bodies")).expect("removed");
    let mut archive = open(folder.path()).expect("it opens");
    check_error(
        folder.path(),
        body(&mut archive, "http://a/"),
        expect![
            "DIR/bodies/000001.zst is damaged: a body is missing, at byte 0; put back a copy of the folder, or crawl into another one"
        ],
    );
}

#[test]
fn a_damaged_database() {
    let folder = tempfile::tempdir().expect("a folder");
    fill(folder.path());
    let path = folder.path().join("archive.sqlite");
    let bytes = fs::read(&path).expect("the database");
    fs::write(&path, [&[b'x'; 100], &bytes[100..]].concat()).expect("written");
    check_error(
        folder.path(),
        open(folder.path()),
        expect![
            "DIR/archive.sqlite is damaged: file is not a database; put back a copy of the folder, or crawl into another one"
        ],
    );
    fs::write(&path, &bytes[..8192]).expect("written");
    let archive = open(folder.path()).and_then(|mut archive| body(&mut archive, "http://a/"));
    check_error(
        folder.path(),
        archive,
        expect![
            "DIR/archive.sqlite is damaged: database disk image is malformed; put back a copy of the folder, or crawl into another one"
        ],
    );
    fs::write(&path, &bytes).expect("put back");
    assert_eq!(content(&mut open(folder.path()).expect("it opens")).len(), 2);
}

#[test]
fn rows_that_make_no_sense() {
    let folder = tempfile::tempdir().expect("a folder");
    fill(folder.path());
    let database = rusqlite::Connection::open(folder.path().join("archive.sqlite")).expect("a database");
    database
        .execute("UPDATE request SET url = 'nowhere' WHERE id = 1", [])
        .expect("changed");
    database
        .execute("UPDATE body SET length = 9223372036854775807 WHERE id = 2", [])
        .expect("changed");
    drop(database);
    let mut archive = open(folder.path()).expect("it opens");
    check_error(
        folder.path(),
        archive.page(&request("http://a/")),
        expect![
            "DIR/archive.sqlite is damaged: Conversion error from type Text at index: 3, relative URL without a base; put back a copy of the folder, or crawl into another one"
        ],
    );
    check_error(
        folder.path(),
        body(&mut archive, "http://b/"),
        expect![
            "DIR/bodies/000001.zst is damaged: a body has another length than it should, at byte 27; put back a copy of the folder, or crawl into another one"
        ],
    );
}

#[test]
fn another_version_and_another_program() {
    let folder = tempfile::tempdir().expect("a folder");
    fill(folder.path());
    let change = |sql: &str| {
        let database = rusqlite::Connection::open(folder.path().join("archive.sqlite")).expect("a database");
        database.execute_batch(sql).expect("changed");
    };
    change("PRAGMA user_version = 7");
    check_error(
        folder.path(),
        open(folder.path()),
        expect!["DIR/archive.sqlite has version 7, and this program knows versions up to 1; use a newer untemplate"],
    );
    check_error(
        folder.path(),
        ArchiveReader::open(folder.path()),
        expect!["DIR/archive.sqlite has version 7, and this program knows versions up to 1; use a newer untemplate"],
    );
    change("PRAGMA user_version = 1; PRAGMA application_id = 1");
    check_error(
        folder.path(),
        open(folder.path()),
        expect![
            "DIR is no archive: archive.sqlite is a database of another program; name the folder of an archive, or an empty one"
        ],
    );
}

#[test]
fn no_archive_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    check_error(
        folder.path(),
        ArchiveReader::open(folder.path()),
        expect!["DIR is no archive: there is no archive.sqlite in it; name the folder of an archive, or an empty one"],
    );
    fs::write(folder.path().join("file"), "x").expect("written");
    check_error(
        folder.path(),
        open(&folder.path().join("file")),
        expect![
            "cannot create DIR/file: File exists (os error 17); check the disk and your rights, then run the same command again"
        ],
    );
}

#[test]
fn one_writes_and_many_read() {
    let folder = tempfile::tempdir().expect("a folder");
    fill(folder.path());
    let mut writer = open(folder.path()).expect("it opens");
    let error = open(folder.path()).err().expect("in use").to_string();
    assert!(error.contains("is in use by process"), "{error}");
    let mut reader = ArchiveReader::open(folder.path()).expect("it opens");
    assert_eq!(content(&mut reader).len(), 2);
    writer
        .add(&[new_request("http://c/", 0.0)], UnixMillis(0))
        .expect("added");
    let claims = claim(&mut writer, 0, 1);
    writer
        .commit(&[page_outcome(&claims[0], b"new")], UnixMillis(0))
        .expect("committed");
    assert_eq!(body(&mut reader, "http://c/").expect("seen at once"), b"new");
    assert_eq!(reader.statistics().expect("read").done, 3);
    drop((reader, writer));
    open(folder.path()).expect("free again");
}

#[test]
fn a_host_that_was_being_asked_rests_after_a_crash() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut archive = open(folder.path()).expect("an archive");
    archive
        .add(
            &[new_request("http://a/", 0.0), new_request("http://b/", 0.0)],
            UnixMillis(0),
        )
        .expect("added");
    assert_eq!(claim(&mut archive, 0, 1).len(), 1);
    drop(archive);
    let mut archive = SqliteArchive::open(folder.path(), &ArchiveOptions::default(), UnixMillis(300)).expect("again");
    let hosts = |archive: &mut SqliteArchive, now| -> Vec<String> {
        claim(archive, now, 9)
            .into_iter()
            .map(|claim| format!("{} {}", claim.host, claim.n_lapses))
            .collect()
    };
    assert_eq!(hosts(&mut archive, 300), ["b 0"]);
    assert!(hosts(&mut archive, 1_299).is_empty());
    assert_eq!(hosts(&mut archive, 1_300), ["a 1"]);
}
