//! Every example of the documents is run, and its output compared with what the document shows.
//!
//! An example is a fenced block marked `console`: lines that begin with `$ ` are commands for `sh`,
//! run one after the other in one fresh folder a document; what follows each is its standard
//! output, with `[exit CODE]` at its end when the code is not 0. `UPDATE_EXPECT=1` writes what they
//! print now into the documents. A block whose mark has a second word, such as `xml players.xml`,
//! is a file of that name in the folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn examples_print_what_documents_show() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut documents = vec![root.join("README.md")];
    let listed = fs::read_dir(root.join("docs")).expect("there is a folder of documents");
    documents.extend(listed.map(|entry| entry.expect("a folder can be listed").path()));
    documents.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut n_examples = 0;
    let mut differing: Vec<PathBuf> = Vec::new();
    for document in documents {
        let shown = fs::read_to_string(&document).expect("a document can be read");
        let (printed, n_here) = run_examples(&shown);
        n_examples += n_here;
        if printed != shown {
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                fs::write(&document, &printed).expect("a document can be written");
            }
            eprintln!("{} shows what is not so; it should be:\n{printed}", document.display());
            differing.push(document);
        }
    }
    assert!(n_examples >= 4, "the documents have examples");
    assert!(differing.is_empty(), "{differing:?}; UPDATE_EXPECT=1 rewrites them");
}

/// The document with the output of its examples as they print it now, and their number.
fn run_examples(document: &str) -> (String, usize) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut printed = String::new();
    let mut n_examples = 0;
    let mut in_example = false;
    let mut file: Option<(&str, String)> = None;
    for line in document.lines() {
        match (in_example, line) {
            (false, "```console") => in_example = true,
            (true, "```") => in_example = false,
            _ => {}
        }
        let name = line
            .strip_prefix("```")
            .and_then(|mark| mark.split_once(' '))
            .map(|(_, name)| name);
        match (&mut file, line) {
            (Some(_), "```") => {
                let (name, text) = file.take().expect("it is there");
                fs::write(folder.path().join(name), text).expect("a file can be written");
            }
            (Some((_, text)), _) => text.push_str(&format!("{line}\n")),
            (None, _) => file = name.map(|name| (name, String::new())),
        }
        match line.strip_prefix("$ ") {
            Some(command) if in_example => {
                printed.push_str(&format!("{line}\n{}", output_of(folder.path(), command)));
                n_examples += 1;
            }
            _ if in_example && line != "```console" => {}
            _ => printed.push_str(&format!("{line}\n")),
        }
    }
    (printed, n_examples)
}

fn output_of(in_folder: &Path, command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_untemplate"));
    let folder = program.parent().expect("a program is in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let told = Command::new("sh")
        .args(["-c", command])
        .current_dir(in_folder)
        .env("PATH", format!("{}:{path}", folder.display()))
        .output()
        .expect("sh runs");
    let mut output = String::from_utf8(told.stdout).expect("results are UTF-8");
    match told.status.code() {
        Some(0) => {}
        code => output.push_str(&format!("[exit {}]\n", code.unwrap_or(-1))),
    }
    output
}
