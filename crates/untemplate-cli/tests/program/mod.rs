//! Runs the real program in a folder of its own.

#![allow(dead_code, reason = "each test program uses a part of this")]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use expect_test::Expect;
use tempfile::TempDir;
use untemplate_store::archive::{ArchiveReader, PageStore, visit_pages};

/// Says that a test cannot be done here, to people and to `cargo xtask check`, which counts such
/// tests as skipped.
pub fn skip(why: &str) {
    eprintln!("skipped: {why}");
    let Some(list) = std::env::var_os("UNTEMPLATE_SKIPPED") else {
        return;
    };
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    let file = std::fs::File::options().create(true).append(true).open(list);
    // A line is written at once, so that lines of tests that run at the same time stay whole.
    let written = file.and_then(|mut file| file.write_all(format!("{why}\t{name}\n").as_bytes()));
    written.expect("the list of skipped tests can be written");
}

/// A folder to run in, and what the last call gave.
pub struct Bench {
    pub folder: TempDir,
}

/// What a call gave.
pub struct Told {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Bench {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder can be made"),
        }
    }

    /// Writes a file below the folder.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder can be made");
        std::fs::write(path, content).expect("a file can be written");
        self
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).expect("the file is there")
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs `untemplate` with these words.
    pub fn run(&self, words: &[&str]) -> Told {
        self.run_with_input(words, "")
    }

    /// The same with something on standard input.
    pub fn run_with_input(&self, words: &[&str], input: &str) -> Told {
        let mut child = Command::new(env!("CARGO_BIN_EXE_untemplate"))
            .args(words)
            .current_dir(self.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        child
            .stdin
            .take()
            .expect("it has an input")
            .write_all(input.as_bytes())
            .expect("it reads its input");
        let Output { status, stdout, stderr } = child.wait_with_output().expect("the program ends");
        Told {
            code: status.code().unwrap_or(-1),
            out: String::from_utf8(stdout).expect("results are UTF-8"),
            err: String::from_utf8(stderr).expect("messages are UTF-8"),
        }
    }
}

/// A page with two links.
pub const PAGE: &str = "<title>Cup</title><ul><li><a href=ada.html>Ada</a><li><a href=bo.html>Bo</a></ul>";

/// Runs and compares standard output whole; the code must be right too.
pub fn check_out(bench: &Bench, words: &[&str], code: i32, expected: Expect) {
    let told = bench.run(words);
    assert_eq!(told.code, code, "{words:?}: {}", told.err);
    expected.assert_eq(&told.out);
}

/// Runs what must fail: nothing on standard output, and a message that has these words and no
/// backtrace.
pub fn check_error(bench: &Bench, words: &[&str], code: i32, message: &[&str]) {
    let told = bench.run(words);
    assert_eq!((told.code, told.out.as_str()), (code, ""), "{words:?}: {}", told.err);
    for part in message {
        assert!(
            told.err.contains(part),
            "{words:?}: {:?} does not say {part:?}",
            told.err
        );
    }
    assert!(
        !told.err.contains("backtrace") && !told.err.contains("panicked"),
        "{}",
        told.err
    );
}

/// The status and body of every page of an archive, by address.
pub fn contents(folder: &Path) -> BTreeMap<String, (u16, Vec<u8>)> {
    let mut reader = ArchiveReader::open(folder).expect("the archive can be read");
    let mut contents = BTreeMap::new();
    visit_pages(&mut reader, &mut |store: &mut dyn PageStore, page| {
        let body = store.body(page.id)?;
        contents.insert(page.request.url.to_string(), (page.status, body));
        Ok(())
    })
    .expect("the archive can be read");
    contents
}
