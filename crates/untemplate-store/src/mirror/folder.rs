//! The mirror itself: finds the file that answers a request, and reads it.
//!
//! Files are read, never mapped: a file that shrinks while it is read is short, not a crash.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use untemplate::page::{Method, Problem, Request, Response, normalise};
use url::Url;

use super::MirrorError;
use super::argument::base_address;
use super::content_type::content_type;
use super::file_name::{address, candidates, form_candidates, relative_path};
use crate::{PageSource, SourceError};

/// A folder of files that stands for a site.
#[derive(Debug, Clone)]
pub struct Mirror {
    /// Ends in a slash, has no query.
    base: Url,
    /// Free of symbolic links, so that a file's real path tells whether it is inside.
    folder: PathBuf,
    bytes_max: u64,
}

impl Mirror {
    /// Answers requests below `url` from the files below `folder`; of each file at most `bytes_max`
    /// bytes are read.
    pub fn open(url: &str, folder: &Path, bytes_max: u64) -> Result<Self, MirrorError> {
        let base = base_address(url)?;
        let not_a_folder = || MirrorError::NotAFolder {
            folder: folder.to_owned(),
        };
        let real = folder.canonicalize().map_err(|_| not_a_folder())?;
        if !real.is_dir() {
            return Err(not_a_folder());
        }
        Ok(Self {
            base,
            folder: real,
            bytes_max,
        })
    }

    /// The address that the folder stands for.
    pub fn base(&self) -> &Url {
        &self.base
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The name and real path of the first of these files that is there.
    fn first_file(&self, names: Vec<Vec<u8>>) -> Result<Option<(Vec<u8>, PathBuf)>, SourceError> {
        for name in names {
            let file = self.folder.join(relative_path(&name));
            match file.canonicalize() {
                // A symbolic link may lead out of the folder; there is nothing for a page to see
                // there.
                Ok(place) if place.starts_with(&self.folder) && place.is_file() => return Ok(Some((name, place))),
                Err(cause) if cause.kind() == io::ErrorKind::PermissionDenied => {
                    return Err(SourceError::Unreadable { file, cause });
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// The answer to a form, where it was recorded. The page's address is the form's, as it would
    /// be on the web.
    fn answer_form(&self, request: &Request, names: Vec<Vec<u8>>) -> Result<Response, SourceError> {
        let Some((name, place)) = self.first_file(names)? else {
            let message = format!("{}: the folder has no answer to this form", request.url);
            return Ok(missing(&request.url, vec![Problem::new("form not answered", message)]));
        };
        let url = request.url.clone();
        Ok(Response {
            url,
            ..self.read(&name, &place)?
        })
    }

    fn read(&self, name: &[u8], place: &Path) -> Result<Response, SourceError> {
        let unreadable = |cause| SourceError::Unreadable {
            file: place.to_owned(),
            cause,
        };
        let mut body = Vec::new();
        let file = File::open(place).map_err(unreadable)?;
        file.take(self.bytes_max.saturating_add(1))
            .read_to_end(&mut body)
            .map_err(unreadable)?;
        let mut problems = Vec::new();
        if body.len() as u64 > self.bytes_max {
            body.truncate(usize::try_from(self.bytes_max).unwrap_or(usize::MAX));
            let message = format!("{}: only the first {} bytes were read", place.display(), self.bytes_max);
            problems.push(Problem::new("too long", message));
        }
        let odd_name = || io::Error::new(io::ErrorKind::InvalidInput, "its name fits in no address");
        let url = address(&self.base, name).ok_or_else(odd_name).map_err(unreadable)?;
        let content_type = content_type(name).map(str::to_owned);
        Ok(Response {
            url,
            status: 200,
            content_type,
            body,
            redirects: 0,
            problems,
        })
    }
}

impl PageSource for Mirror {
    fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
        let url = normalise(request.url.clone());
        if request.method == Method::Post {
            return Some(self.answer_form(request, form_candidates(&self.base, &url, &request.body)?));
        }
        let names = candidates(&self.base, &url)?;
        Some(self.first_file(names).and_then(|found| match found {
            Some((name, place)) => self.read(&name, &place),
            None => Ok(missing(&request.url, Vec::new())),
        }))
    }
}

fn missing(url: &Url, problems: Vec<Problem>) -> Response {
    Response {
        url: url.clone(),
        status: 404,
        content_type: None,
        body: Vec::new(),
        redirects: 0,
        problems,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use expect_test::{Expect, expect};

    use super::*;

    const FILES: [&str; 9] = [
        "a/index.html",
        "b/index.htm",
        "c.html",
        "d",
        "e.html",
        "e.html?x=1",
        "e.html?y=a b",
        "logo.png",
        "ü.html",
    ];

    fn site() -> (tempfile::TempDir, Mirror) {
        let folder = tempfile::tempdir().expect("a folder");
        for name in FILES {
            let place = folder.path().join(name);
            fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
            fs::write(place, name).expect("a file");
        }
        let mirror = Mirror::open("http://site.example/", folder.path(), 12).expect("a mirror");
        (folder, mirror)
    }

    fn check_answers(paths: &[&str], expected: Expect) {
        let (_folder, mut mirror) = site();
        let mut told = String::new();
        for path in paths {
            let url = mirror.base.join(path).expect("an address");
            let response = mirror
                .answer(&Request::get(url))
                .expect("an answer")
                .expect("a response");
            let kind = response.content_type.as_deref().unwrap_or("-");
            let body = String::from_utf8_lossy(&response.body);
            let problems: Vec<&str> = response.problems.iter().map(|problem| problem.kind).collect();
            told += &format!(
                "{path} {} {} {kind} {body:?} {}\n",
                response.status,
                response.url,
                problems.join(" ")
            );
        }
        expected.assert_eq(&told);
    }

    #[test]
    fn folders_endings_and_queries() {
        check_answers(
            &[
                "a",
                "a/",
                "a/index.html",
                "b/",
                "c",
                "d",
                "d/",
                "e.html?x=1",
                "e.html?y=a%20b",
                "e.html?z",
                "%C3%BC",
            ],
            expect![[r#"
                a 200 http://site.example/a/index.html text/html "a/index.html" 
                a/ 200 http://site.example/a/index.html text/html "a/index.html" 
                a/index.html 200 http://site.example/a/index.html text/html "a/index.html" 
                b/ 200 http://site.example/b/index.htm text/html "b/index.htm" 
                c 200 http://site.example/c.html text/html "c.html" 
                d 200 http://site.example/d text/html "d" 
                d/ 200 http://site.example/d text/html "d" 
                e.html?x=1 200 http://site.example/e.html?x=1 text/html "e.html?x=1" 
                e.html?y=a%20b 200 http://site.example/e.html?y=a%20b text/html "e.html?y=a b" 
                e.html?z 200 http://site.example/e.html text/html "e.html" 
                %C3%BC 200 http://site.example/%C3%BC.html text/html "ü.html" 
            "#]],
        );
    }

    #[test]
    fn missing_files_and_other_content() {
        check_answers(
            &["none.html", "", "logo.png", "logo.png#top"],
            expect![[r#"
            none.html 404 http://site.example/none.html - "" 
             404 http://site.example/ - "" 
            logo.png 200 http://site.example/logo.png image/png "logo.png" 
            logo.png#top 200 http://site.example/logo.png image/png "logo.png" 
        "#]],
        );
    }

    #[test]
    fn a_large_file_is_cut() {
        let (folder, mut mirror) = site();
        fs::write(folder.path().join("large.html"), [b'x'; 13]).expect("a file");
        let request = Request::get("http://site.example/large.html".parse().expect("an address"));
        let response = mirror.answer(&request).expect("an answer").expect("a response");
        assert_eq!((response.body.len(), response.problems[0].kind), (12, "too long"));
    }

    #[test]
    fn forms_are_answered_where_an_answer_was_recorded() {
        let (_folder, mut mirror) = site();
        let mut post = |path: &str, body: &str| {
            let url: Url = format!("http://site.example/{path}").parse().expect("an address");
            let body = body.as_bytes().to_vec();
            let request = Request {
                method: Method::Post,
                url,
                body,
            };
            mirror.answer(&request).expect("an answer").expect("a response")
        };
        let response = post("e.html", "x=1");
        assert_eq!((response.status, response.body), (200, b"e.html?x=1".to_vec()));
        assert_eq!(response.url.as_str(), "http://site.example/e.html");
        assert_eq!(post("e.html", "y=a%20b").status, 200);
        for (path, body) in [
            ("e.html", "x=2"),
            ("c.html", "x=1"),
            ("c.html", ""),
            ("e.html", "x=1/../../secret"),
        ] {
            let response = post(path, body);
            assert_eq!(
                (response.status, response.problems[0].kind),
                (404, "form not answered"),
                "{path} {body}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_stay_inside() {
        let (folder, mut mirror) = site();
        let outside = tempfile::tempdir().expect("a folder");
        fs::write(outside.path().join("secret.html"), "secret").expect("a file");
        std::os::unix::fs::symlink(outside.path(), folder.path().join("out")).expect("a link");
        std::os::unix::fs::symlink(folder.path().join("a"), folder.path().join("in")).expect("a link");
        let mut status = |path: &str| {
            let request = Request::get(format!("http://site.example/{path}").parse().expect("an address"));
            mirror.answer(&request).expect("an answer").expect("a response").status
        };
        assert_eq!(
            (status("out/secret.html"), status("out/secret"), status("in/")),
            (404, 404, 200)
        );
    }
}
