//! A record store on a disk: what pages say waits here until all pages of their class were seen, as
//! many as there is room for.
//!
//! Pages are written one after the other to a file that has no name, so that nothing is left of it
//! however the program ends; memory holds the addresses of the pages and where they stand,
//! addresses in one text: single ones between the large buffers that pages are parsed with would
//! leave gaps of many times their size.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use untemplate::table::{RecordStore, RecordStoreError, TakeBytes};
use url::Url;

/// Pages in a file.
pub struct DiskRecordStore {
    folder: PathBuf,
    file: BufWriter<File>,
    end: u64,
    /// By page class, its pages.
    places: BTreeMap<usize, Places>,
}

/// The pages of a class.
#[derive(Default)]
struct Places {
    /// Their addresses, one after the other.
    addresses: String,
    pages: Vec<Place>,
    /// Whether they are in the order of their addresses, the latest of each alone.
    is_sorted: bool,
}

/// A page: where its address stands in the text, and where the page begins in the file.
#[derive(Clone, Copy)]
struct Place {
    address: (usize, usize),
    begin: u64,
}

impl Places {
    fn push(&mut self, address: &str, begin: u64) {
        let start = self.addresses.len();
        self.addresses.push_str(address);
        self.pages.push(Place {
            address: (start, self.addresses.len()),
            begin,
        });
        self.is_sorted = false;
    }

    fn sort(&mut self) {
        if std::mem::replace(&mut self.is_sorted, true) {
            return;
        }
        let address = |place: &Place| &self.addresses[place.address.0..place.address.1];
        // Pages of one address stay in the order they were put in.
        self.pages.sort_by(|one, other| address(one).cmp(address(other)));
        self.pages.dedup_by(|later, kept| {
            let is_same = address(later) == address(kept);
            if is_same {
                *kept = *later;
            }
            is_same
        });
    }
}

impl DiskRecordStore {
    /// An empty record store in a folder, which is made if it is not there.
    pub fn create(folder: &Path) -> Result<Self, RecordStoreError> {
        let file = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
        let file = file.map_err(|error| trouble(folder, error))?;
        Ok(Self {
            folder: folder.to_owned(),
            file: BufWriter::with_capacity(1 << 18, file),
            end: 0,
            places: BTreeMap::new(),
        })
    }
}

impl RecordStore for DiskRecordStore {
    fn put(&mut self, page_class: usize, url: &Url, bytes: &[u8]) -> Result<(), RecordStoreError> {
        let written = self
            .file
            .write_all(&(bytes.len() as u64).to_le_bytes())
            .and_then(|()| self.file.write_all(bytes));
        written.map_err(|error| trouble(&self.folder, error))?;
        self.places.entry(page_class).or_default().push(url.as_str(), self.end);
        self.end += 8 + bytes.len() as u64;
        Ok(())
    }

    fn each(&mut self, page_class: usize, take: &mut TakeBytes<'_>) -> Result<(), RecordStoreError> {
        let Some(places) = self.places.get_mut(&page_class) else {
            return Ok(());
        };
        places.sort();
        let unusable = |error: io::Error| trouble(&self.folder, error);
        self.file.flush().map_err(unusable)?;
        let mut reader = BufReader::with_capacity(1 << 14, self.file.get_ref());
        let mut at = u64::MAX;
        let mut bytes = Vec::new();
        for place in &places.pages {
            if at != place.begin {
                reader.seek(SeekFrom::Start(place.begin)).map_err(unusable)?;
            }
            let mut length = [0; 8];
            reader.read_exact(&mut length).map_err(unusable)?;
            bytes.resize(u64::from_le_bytes(length) as usize, 0);
            reader.read_exact(&mut bytes).map_err(unusable)?;
            at = place.begin + 8 + bytes.len() as u64;
            let address = &places.addresses[place.address.0..place.address.1];
            let url = Url::parse(address).map_err(|_| damaged(&self.folder))?;
            take(&url, &bytes)?;
        }
        // What is written next goes to the end again.
        let end = SeekFrom::Start(self.end);
        self.file
            .get_mut()
            .seek(end)
            .map_err(|error| trouble(&self.folder, error))?;
        Ok(())
    }
}

fn trouble(folder: &Path, source: io::Error) -> RecordStoreError {
    RecordStoreError::Unusable {
        what: format!(
            "cannot keep pages in {}; check that it may be written to and that there is room",
            folder.display()
        ),
        source: Some(source),
    }
}

fn damaged(folder: &Path) -> RecordStoreError {
    RecordStoreError::Unusable {
        what: format!(
            "the pages kept in {} cannot be read back; check the disk and start again",
            folder.display()
        ),
        source: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Url {
        format!("http://cup.example/{path}").parse().expect("a good address")
    }

    #[test]
    fn what_is_put_comes_back_in_order_of_addresses_the_latest_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut record_store = DiskRecordStore::create(folder.path()).expect("a record store");
        for (class, path, text) in [(1, "b", "Ada"), (0, "z", ""), (1, "a", "Cid"), (1, "b", "Dan")] {
            record_store
                .put(class, &url(path), text.as_bytes())
                .expect("there is room");
        }
        let mut back = Vec::new();
        for class in [1, 0, 7] {
            let mut take = |url: &Url, bytes: &[u8]| {
                back.push((url.path().to_owned(), String::from_utf8_lossy(bytes).into_owned()));
                Ok(())
            };
            record_store.each(class, &mut take).expect("it can be read");
        }
        let back: Vec<(&str, &str)> = back.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        assert_eq!(back, [("/a", "Cid"), ("/b", "Dan"), ("/z", "")]);
        record_store.put(0, &url("y"), b"Eve").expect("there is room");
        let mut paths = Vec::new();
        let taken = record_store.each(0, &mut |url, _| {
            paths.push(url.path().to_owned());
            Ok(())
        });
        assert!(taken.is_ok());
        assert_eq!(paths, ["/y", "/z"]);
        let left = std::fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, 0, "the file has no name");
    }
}
