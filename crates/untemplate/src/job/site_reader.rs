//! Site readers: pages to rows one at a time, each without the others, by what a job learnt from a
//! sample.
//!
//! In: a [`CrawlResult`] and the tables of it. Out: a [`SiteReader`], which tells the class of a
//! page, reads it and makes its rows. A page gives the same rows wherever, whenever and however
//! often it is read, so that any number of machines can share the pages of a site. What only all
//! pages together tell is left out: which addresses are one page, and which links lead to a row.

use crate::content::Content;
use crate::page::{AttributeFilter, Page, Problem};
use crate::site::model::{Classifier, Fingerprint};
use crate::table::{Database, ReadPage, rows_of};
use crate::wrapper::reading::ClassReading;

use super::options::CrawlResult;
use super::placing::PlacingModel;

/// More than this share of the values that nearly all pages of a class had is most of them. Not
/// swept: a list that names its items has their heading alone.
const MOST: f64 = 0.5;

/// Reads the pages of a site, one at a time.
#[derive(Debug, Clone)]
pub struct SiteReader {
    /// The models that pages are placed by, in the order in which they are asked.
    pub models: Vec<PlacingModel>,
    /// The page classes, by number.
    pub classes: Vec<ReaderClass>,
    /// The tables.
    pub database: Database,
    classifiers: Vec<(AttributeFilter, Classifier)>,
}

/// A page class and how its pages are read.
#[derive(Debug, Clone, PartialEq)]
pub struct ReaderClass {
    /// What the class is called.
    pub name: String,
    /// How its pages are read; nothing where none of them says anything.
    pub reading: Option<ClassReading>,
}

/// What a page came to.
#[derive(Debug, Clone, PartialEq)]
pub struct PageRows {
    /// The number of its class; `None` for a page that is like none.
    pub page_class: Option<usize>,
    /// Its rows: the number of the table, and a value or nothing for each column.
    pub rows: Vec<(usize, Vec<Option<String>>)>,
    /// Values that are none of their column's kind.
    pub problems: Vec<Problem>,
}

impl SiteReader {
    /// A reader of these models, classes and tables.
    pub fn new(models: Vec<PlacingModel>, classes: Vec<ReaderClass>, database: Database) -> Self {
        let classifier = |placing: &PlacingModel| {
            let mode = placing.model.attributes;
            (AttributeFilter { mode }, Classifier::new(&placing.model))
        };
        Self {
            classifiers: models.iter().map(classifier).collect(),
            models,
            classes,
            database,
        }
    }

    /// What a job learnt, with the tables it made.
    pub fn of_crawl(crawl_result: &CrawlResult, mut database: Database) -> Self {
        for column in database.tables.iter_mut().flat_map(|table| &mut table.columns) {
            // The sample does not tell which addresses lead nowhere: other pages have rows, too.
            column.reading.left_out.clear();
            column.is_nullable = true;
        }
        let classes = crawl_result.readers.iter().map(|reader| ReaderClass {
            name: reader.name.clone(),
            reading: reader.reading.clone(),
        });
        Self::new(crawl_result.placing.clone(), classes.collect(), database)
    }

    /// The class of a page. Where there is one class and no model to tell it from others, as of the
    /// pages like a sample, a page is of it that has most of what nearly all of them had.
    pub fn class_of(&self, page: &Page) -> Option<usize> {
        if let ([], [only]) = (&self.models[..], &self.classes[..]) {
            return (only.reading.as_ref()?.extract(page).agreement > MOST).then_some(0);
        }
        let classifiers = self.classifiers.iter().zip(&self.models);
        classifiers
            .filter_map(|((filter, classifier), placing)| {
                let class = classifier.classify(&Fingerprint::of(page, filter), &page.url).class?;
                placing.numbers.get(class).copied().flatten()
            })
            .next()
    }

    /// The rows of a page.
    pub fn read(&self, page: &Page) -> PageRows {
        self.read_as(self.class_of(page), page)
    }

    /// The rows of a page whose class is known; none of a page that is of no class.
    pub fn read_as(&self, page_class: Option<usize>, page: &Page) -> PageRows {
        let class = page_class.and_then(|class| self.classes.get(class));
        let mut rows = Vec::new();
        let mut problems = Vec::new();
        if let (Some(page_class), Some(reading)) = (page_class, class.and_then(|class| class.reading.as_ref())) {
            let read = ReadPage {
                page_class,
                url: page.url.clone(),
                record: reading.read(&Content::of(page)),
            };
            problems = rows_of(&self.database, &read, &mut |table, row| rows.push((table, row)));
        }
        PageRows {
            page_class,
            rows,
            problems,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};

    use url::Url;

    use super::*;
    use crate::job::{JobOptions, infer_tables, read_like, read_site};
    use crate::page::visit_page;
    use crate::site::GatherOptions;

    fn page(name: &str, born: u32) -> String {
        format!("<title>{name}</title><h1>{name}</h1><dl><dt>Born<dd>{born}<dt>Place<dd>{name}ville</dl>")
    }

    /// Five players, and a page that lists them.
    fn site() -> HashMap<String, String> {
        let players = [
            ("Ada", 1815),
            ("Bo", 1905),
            ("Cleo", 1969),
            ("Dan", 1940),
            ("Eve", 1951),
        ];
        let list: String = players
            .iter()
            .map(|(name, _)| format!("<li><a href=/player/{name}>{name}</a>"))
            .collect();
        let mut site: HashMap<String, String> = players
            .iter()
            .map(|(name, born)| (format!("http://cup.example/player/{name}"), page(name, *born)))
            .collect();
        site.insert(
            "http://cup.example/".to_owned(),
            format!("<h1>Players</h1><ul>{list}</ul>"),
        );
        site
    }

    #[test]
    fn pages_that_no_job_saw_are_read_one_by_one() {
        let mut site = site();
        let entry: Url = "http://cup.example/".parse().expect("an address");
        let mut record_store: BTreeMap<(usize, Url), Vec<u8>> = BTreeMap::new();
        let crawl_result =
            read_site(&mut site, &mut record_store, &entry, &JobOptions::default()).expect("a record store in memory");
        let database = infer_tables(&crawl_result, &mut record_store).expect("a record store in memory");
        let reader = SiteReader::of_crawl(&crawl_result, database);
        site.insert("http://cup.example/player/Flo".to_owned(), page("Flo", 1988));
        let mut read = |url: &str| {
            let page = visit_page(&mut site, &url.parse().expect("an address")).expect("a page");
            reader.read(&page)
        };
        let new = read("http://cup.example/player/Flo");
        let (table, row) = new.rows.first().expect("a row");
        let born = reader.database.tables[*table]
            .columns
            .iter()
            .position(|column| column.name == "born");
        assert_eq!(row[born.expect("a column")].as_deref(), Some("1988"));
        assert_eq!(read("http://cup.example/player/Flo"), new);
        assert_ne!(read("http://cup.example/").page_class, new.page_class);
    }

    #[test]
    fn a_reader_of_pages_like_a_sample_knows_them_by_its_wrapper() {
        let mut site = site();
        let mut record_store: BTreeMap<(usize, Url), Vec<u8>> = BTreeMap::new();
        let at = |path: &str| -> Url { format!("http://cup.example/{path}").parse().expect("an address") };
        let sample = visit_page(&mut site, &at("player/Ada")).expect("a page");
        let (search, options) = (GatherOptions::default(), JobOptions::default());
        let (crawl_result, _) =
            read_like(&mut site, &mut record_store, &sample, &search, &options).expect("a record store in memory");
        let database = infer_tables(&crawl_result, &mut record_store).expect("a record store in memory");
        let reader = SiteReader::of_crawl(&crawl_result, database);
        site.insert("http://cup.example/player/Flo".to_owned(), page("Flo", 1988));
        let mut read = |path: &str| reader.read(&visit_page(&mut site, &at(path)).expect("a page"));
        let new = read("player/Flo");
        assert_eq!((new.page_class, new.rows.len()), (Some(0), 1), "{new:?}");
        let other = read("");
        assert_eq!((other.page_class, other.rows.len()), (None, 0), "{other:?}");
    }
}
