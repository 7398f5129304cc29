//! The tokens of an address.

use url::{Position, Url};

use super::words::{push_words_out, without_numbers};

/// An address in parts, as slices of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlParts<'a> {
    /// Scheme, user, host and port, as the address begins.
    pub origin: &'a str,
    /// The host; empty for files.
    pub host: &'a str,
    /// The segments of the path before its last slash.
    pub folders: Vec<&'a str>,
    /// What comes after the last slash.
    pub name: &'a str,
    /// The name without its end.
    pub stem: &'a str,
    /// The end of the file name with its dot, such as `.html`; empty where there is none.
    pub end: &'a str,
    /// The parameters of the query: names, and values where there is a `=`. `None` without a
    /// question mark.
    pub query: Option<Vec<(&'a str, Option<&'a str>)>>,
}

impl<'a> UrlParts<'a> {
    /// Takes an address apart.
    pub fn of(url: &'a Url) -> Self {
        let path = url.path();
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let (stem, end) = split_end(name);
        let parameter = |pair: &'a str| match pair.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (pair, None),
        };
        Self {
            origin: &url[..Position::BeforePath],
            host: url.host_str().unwrap_or(""),
            folders: folder.split('/').skip(1).collect(),
            name,
            stem,
            end,
            query: url.query().map(|query| query.split('&').map(parameter).collect()),
        }
    }

    /// What the pages of one kind share by their place alone: host, folders, the file's end, the
    /// query's keys. The name varies, unless there is a query, which then varies.
    pub fn kind(&self) -> String {
        let mut kind = self.origin.to_owned();
        self.folders.iter().for_each(|folder| kind.extend(["/", folder]));
        kind.push('/');
        if let Some(query) = &self.query {
            kind.extend([self.name, "?"]);
            query.iter().for_each(|(name, _)| kind.extend([name, "&"]));
        } else {
            kind.extend(["*", self.end]);
        }
        kind
    }

    /// The address with every number as `#`, and every word of its name as `*`, but for the end of
    /// the file name and the names of parameters. It is the same for most pages that one script
    /// makes.
    ///
    /// ```
    /// use untemplate::page::UrlParts;
    /// let url = "http://cup.example/team/12/ada-lovelace_7.html?page=3".parse().expect("a good address");
    /// assert_eq!(UrlParts::of(&url).form(), "cup.example/team/#/*-*_#.html?page=#");
    /// ```
    pub fn form(&self) -> String {
        let mut form = self.host.to_owned();
        for folder in self.folders.iter().filter(|folder| !folder.is_empty()) {
            form.push('/');
            form.push_str(&without_numbers(folder));
        }
        form.push('/');
        push_words_out(self.stem, &mut form);
        form + &self.tail()
    }

    /// The end of the file name, the names of the query's parameters, and their values by form.
    pub fn tail(&self) -> String {
        let mut tail = self.end.to_owned();
        let mut mark = '?';
        for (name, value) in self.query.iter().flatten() {
            tail.push(mark);
            mark = '&';
            match value {
                Some(value) => {
                    tail.extend([name, "="]);
                    push_words_out(value, &mut tail);
                }
                None => push_words_out(name, &mut tail),
            }
        }
        tail
    }

    /// The parts in order, for whoever aligns addresses: together they are the address. Each mark
    /// belongs to the part after it, and a parameter is two parts, whether it has a value or not.
    pub(super) fn aligned(&self) -> Vec<String> {
        let mut parts = vec![self.origin.to_owned()];
        parts.extend(self.folders.iter().map(|folder| format!("/{folder}")));
        parts.push(format!("/{}", self.name));
        for (index, (name, value)) in self.query.iter().flatten().enumerate() {
            let mark = if index == 0 { '?' } else { '&' };
            parts.push(format!("{mark}{name}"));
            parts.push(value.map_or_else(String::new, |value| format!("={value}")));
        }
        parts
    }
}

/// A file name and its end, such as `.html`.
fn split_end(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        // The 5 of `v2.5` is a number, and no end; what is longer than `.xhtml` is a word of the
        // name.
        Some(dot) if dot > 0 && (2..=6).contains(&(name.len() - dot)) && name[dot..].contains(char::is_alphabetic) => {
            name.split_at(dot)
        }
        _ => (name, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kind and the form of an address, whose parts are the whole of it.
    fn check(text: &str, kind: &str, form: &str) {
        let url = Url::parse(text).expect("a good address");
        let parts = UrlParts::of(&url);
        assert_eq!((parts.kind().as_str(), parts.form().as_str()), (kind, form));
        assert_eq!(parts.aligned().concat(), url.as_str());
    }

    #[test]
    fn addresses_of_one_kind_share_their_place_and_their_form() {
        check("http://a.example/", "http://a.example/*", "a.example/");
        check(
            "http://a.example/t/22.html",
            "http://a.example/t/*.html",
            "a.example/t/#.html",
        );
        check(
            "http://a.example/wiki/Ada%20L",
            "http://a.example/wiki/*",
            "a.example/wiki/*",
        );
        check(
            "http://a.example/show?id=7&by=name&x",
            "http://a.example/show?id&by&x&",
            "a.example/*?id=#&by=*&*",
        );
        check(
            "http://a.example/v2/a-b.c",
            "http://a.example/v2/*.c",
            "a.example/v#/*-*.c",
        );
        check("http://a.example//v2.5", "http://a.example//*", "a.example/*.#");
        check("file:///home/x.htm", "file:///home/*.htm", "/home/*.htm");
    }
}
