//! The argument `URL=DIR`, as people write it on the command line.

use std::path::{Path, PathBuf};

use untemplate::page::normalise;
use url::Url;

use super::Mirror;

/// Why a mirror cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// There is no `=` in the argument.
    #[error("the mirror {argument:?} has no '='; write URL=DIR, such as http://site.example/=pages")]
    NoFolder {
        /// The argument as given.
        argument: String,
    },
    /// What stands for the site is no address.
    #[error("the mirror's address {url:?} is not usable: {reason}; write it as http://site.example/")]
    BadAddress {
        /// The address as given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The folder is not there.
    #[error("the mirror's folder {} is no folder that can be read; check its name and where you are", folder.display())]
    NotAFolder {
        /// The folder as given.
        folder: PathBuf,
    },
}

impl Mirror {
    /// Opens the mirror that an argument `URL=DIR` describes; of each file at most `bytes_max`
    /// bytes are read.
    pub fn from_argument(argument: &str, bytes_max: u64) -> Result<Self, MirrorError> {
        // Both sides may contain '=': the first cut that gives an address and a folder is meant.
        let cuts = || {
            argument
                .match_indices('=')
                .map(|(at, _)| (&argument[..at], Path::new(&argument[at + 1..])))
        };
        let first = cuts().next().ok_or_else(|| MirrorError::NoFolder {
            argument: argument.to_owned(),
        })?;
        let (url, folder) = cuts()
            .find(|(url, folder)| base_address(url).is_ok() && folder.is_dir())
            .unwrap_or(first);
        Self::open(url, folder, bytes_max)
    }
}

/// The address that a mirror stands for: of the web, without a query, and ending in a slash.
pub(super) fn base_address(text: &str) -> Result<Url, MirrorError> {
    let bad = |reason: String| MirrorError::BadAddress {
        url: text.to_owned(),
        reason,
    };
    let mut url = Url::parse(text).map_err(|error| bad(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad("it does not begin with http:// or https://".to_owned()));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(bad("it has a '?' or '#'".to_owned()));
    }
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    Ok(normalise(url))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check_argument(argument: &str, expected: Expect) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("a=b")).expect("a folder");
        let place = folder.path().display().to_string();
        let told = match Mirror::from_argument(&argument.replace("DIR", &place), 100) {
            Ok(mirror) => format!("{} is {}", mirror.base(), mirror.folder().display()),
            Err(error) => error.to_string(),
        };
        let real = folder.path().canonicalize().expect("a folder").display().to_string();
        expected.assert_eq(&told.replace(&real, "DIR").replace(&place, "DIR"));
    }

    #[test]
    fn address_and_folder() {
        check_argument("http://Site.example=DIR", expect!["http://site.example/ is DIR"]);
        check_argument(
            "https://site.example:443/docs=DIR",
            expect!["https://site.example/docs/ is DIR"],
        );
    }

    #[test]
    fn equals_signs_on_either_side() {
        check_argument(
            "http://site.example/=DIR/a=b",
            expect!["http://site.example/ is DIR/a=b"],
        );
        check_argument(
            "http://site.example/a=b/=DIR",
            expect!["http://site.example/a=b/ is DIR"],
        );
    }

    #[test]
    fn mistakes_are_explained() {
        check_argument(
            "http://site.example/",
            expect![[
                r#"the mirror "http://site.example/" has no '='; write URL=DIR, such as http://site.example/=pages"#
            ]],
        );
        check_argument(
            "site.example=DIR",
            expect![[
                r#"the mirror's address "site.example" is not usable: relative URL without a base; write it as http://site.example/"#
            ]],
        );
        check_argument(
            "ftp://site.example/=DIR",
            expect![[
                r#"the mirror's address "ftp://site.example/" is not usable: it does not begin with http:// or https://; write it as http://site.example/"#
            ]],
        );
        check_argument(
            "http://site.example/?x=DIR",
            expect![[
                r#"the mirror's address "http://site.example/?x" is not usable: it has a '?' or '#'; write it as http://site.example/"#
            ]],
        );
        check_argument(
            "http://site.example/=DIR/none",
            expect!["the mirror's folder DIR/none is no folder that can be read; check its name and where you are"],
        );
    }
}
