//! A shelf on a disk: records that wait until it is known what their columns are, as many as there is room for.
//!
//! They are written one after the other to a file that has no name, so that nothing is left of it however the program ends; memory holds the addresses of
//! their pages and where they stand. Keys are written once and referred to by number.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use untemplate::table::{ReadPage, Shelf, ShelfError};
use untemplate::wrapper::{Record, Value};
use url::Url;

/// Records in a file.
pub struct DiskShelf {
    folder: PathBuf,
    file: BufWriter<File>,
    end: u64,
    keys: Vec<Arc<str>>,
    key_numbers: HashMap<Arc<str>, u32>,
    /// By page class and address, where the record begins.
    places: BTreeMap<usize, BTreeMap<Box<str>, u64>>,
    buffer: Vec<u8>,
}

/// Marks of values.
const TEXT: u8 = 0;
const LIST: u8 = 1;

impl DiskShelf {
    /// An empty shelf in a folder, which is made if it is not there.
    pub fn create(folder: &Path) -> Result<Self, ShelfError> {
        let file = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
        let file = file.map_err(|error| trouble(folder, error))?;
        Ok(Self {
            folder: folder.to_owned(),
            file: BufWriter::with_capacity(1 << 18, file),
            end: 0,
            keys: Vec::new(),
            key_numbers: HashMap::new(),
            places: BTreeMap::new(),
            buffer: Vec::new(),
        })
    }

    fn key_number(&mut self, key: &Arc<str>) -> u32 {
        if let Some(&number) = self.key_numbers.get(key) {
            return number;
        }
        let number = self.keys.len() as u32;
        self.keys.push(key.clone());
        self.key_numbers.insert(key.clone(), number);
        number
    }

    /// Writes a record to the buffer; lists follow their record, so that nothing recurses.
    fn encode(&mut self, record: &Record) {
        let mut waiting: Vec<&Record> = vec![record];
        let mut next = 0;
        while next < waiting.len() {
            let record = waiting[next];
            next += 1;
            number(&mut self.buffer, record.values.len() as u64);
            for (key, value) in &record.values {
                let key = self.key_number(key);
                number(&mut self.buffer, u64::from(key));
                match value {
                    Value::Text(text) => {
                        self.buffer.push(TEXT);
                        number(&mut self.buffer, text.len() as u64);
                        self.buffer.extend_from_slice(text.as_bytes());
                    }
                    Value::List(rounds) => {
                        self.buffer.push(LIST);
                        number(&mut self.buffer, rounds.len() as u64);
                        waiting.extend(rounds);
                    }
                }
            }
        }
    }
}

impl Shelf for DiskShelf {
    fn put(&mut self, page: &ReadPage) -> Result<(), ShelfError> {
        self.buffer.clear();
        self.encode(&page.record);
        let written = self
            .file
            .write_all(&(self.buffer.len() as u64).to_le_bytes())
            .and_then(|()| self.file.write_all(&self.buffer));
        written.map_err(|error| trouble(&self.folder, error))?;
        let places = self.places.entry(page.page_class).or_default();
        places.insert(page.url.as_str().into(), self.end);
        self.end += 8 + self.buffer.len() as u64;
        Ok(())
    }

    fn each(
        &mut self,
        page_class: usize,
        take: &mut dyn FnMut(&ReadPage) -> Result<(), ShelfError>,
    ) -> Result<(), ShelfError> {
        let Some(places) = self.places.get(&page_class) else {
            return Ok(());
        };
        let unusable = |error: io::Error| trouble(&self.folder, error);
        self.file.flush().map_err(unusable)?;
        let mut reader = BufReader::with_capacity(1 << 14, self.file.get_ref());
        let mut at = u64::MAX;
        let mut bytes = Vec::new();
        for (address, &place) in places {
            if at != place {
                reader.seek(SeekFrom::Start(place)).map_err(unusable)?;
            }
            let mut length = [0; 8];
            reader.read_exact(&mut length).map_err(unusable)?;
            bytes.resize(u64::from_le_bytes(length) as usize, 0);
            reader.read_exact(&mut bytes).map_err(unusable)?;
            at = place + 8 + bytes.len() as u64;
            let record = decode(&bytes, &self.keys).ok_or_else(|| damaged(&self.folder))?;
            let url = Url::parse(address).map_err(|_| damaged(&self.folder))?;
            let page = ReadPage {
                page_class,
                url,
                record,
            };
            take(&page)?;
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

fn trouble(folder: &Path, source: io::Error) -> ShelfError {
    ShelfError::Unusable {
        what: format!(
            "cannot keep records in {}; check that it may be written to and that there is room",
            folder.display()
        ),
        source: Some(source),
    }
}

fn damaged(folder: &Path) -> ShelfError {
    ShelfError::Unusable {
        what: format!(
            "the records kept in {} cannot be read back; check the disk and start again",
            folder.display()
        ),
        source: None,
    }
}

/// Writes a number, seven bits a byte.
fn number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&first, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(first & 0x7f) << shift;
        if first < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Reads a record back. Records stand level by level, so lists are filled from the last record to the first.
fn decode(mut bytes: &[u8], keys: &[Arc<str>]) -> Option<Record> {
    let mut records: Vec<Record> = Vec::new();
    // Of each list: its record, its place there, its first round and how many it has.
    let mut lists: Vec<(usize, usize, usize, usize)> = Vec::new();
    let mut n_known = 1;
    while records.len() < n_known {
        let n_values = read_number(&mut bytes)? as usize;
        let mut record = Record::default();
        for place in 0..n_values {
            let key = keys.get(read_number(&mut bytes)? as usize)?.clone();
            let (&mark, rest) = bytes.split_first()?;
            bytes = rest;
            let length = read_number(&mut bytes)? as usize;
            if mark == LIST {
                lists.push((records.len(), place, n_known, length));
                n_known += length;
                record.values.push((key, Value::List(Vec::new())));
                continue;
            }
            let text = std::str::from_utf8(bytes.get(..length)?).ok()?.to_owned();
            bytes = &bytes[length..];
            record.values.push((key, Value::Text(text)));
        }
        records.push(record);
    }
    for (record, place, first, length) in lists.into_iter().rev() {
        let rounds = (first..first + length).map(|round| std::mem::take(&mut records[round]));
        let rounds: Vec<Record> = rounds.collect();
        records[record].values[place].1 = Value::List(rounds);
    }
    records.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(key: &str, text: &str) -> (Arc<str>, Value) {
        (key.into(), Value::Text(text.to_owned()))
    }

    fn page(page_class: usize, path: &str, rounds: &[&str]) -> ReadPage {
        let goals = |name: &&str| Record {
            values: vec![text("minute", "12"), text("player", name)],
        };
        let half = |number: &str| Record {
            values: vec![
                text("half", number),
                ("goals".into(), Value::List(rounds.iter().map(goals).collect())),
            ],
        };
        ReadPage {
            page_class,
            url: format!("http://cup.example/{path}").parse().expect("a good address"),
            record: Record {
                values: vec![
                    text("name", "Ada – ünï"),
                    ("halves".into(), Value::List(vec![half("1"), half("2")])),
                    ("none".into(), Value::List(Vec::new())),
                    text("last", ""),
                ],
            },
        }
    }

    #[test]
    fn what_is_put_comes_back_in_order_of_addresses_the_latest_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut shelf = DiskShelf::create(folder.path()).expect("a shelf");
        let pages = [page(1, "b", &["Ada", "Bo"]), page(0, "z", &[]), page(1, "a", &["Cid"])];
        for page in &pages {
            shelf.put(page).expect("there is room");
        }
        shelf.put(&page(1, "b", &["Dan"])).expect("there is room");
        let mut back = Vec::new();
        for class in [1, 0, 7] {
            let mut take = |page: &ReadPage| {
                back.push(page.clone());
                Ok(())
            };
            shelf.each(class, &mut take).expect("it can be read");
        }
        assert_eq!(
            back,
            [page(1, "a", &["Cid"]), page(1, "b", &["Dan"]), page(0, "z", &[])]
        );
        shelf.put(&page(0, "y", &["Eve"])).expect("there is room");
        let mut paths = Vec::new();
        let taken = shelf.each(0, &mut |page| {
            paths.push(page.url.path().to_owned());
            Ok(())
        });
        assert!(taken.is_ok());
        assert_eq!(paths, ["/y", "/z"]);
        let left = std::fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, 0, "the file has no name");
    }
}
