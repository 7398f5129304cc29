//! Readings: what reads the pages of each class, learnt from all of them.
//!
//! In: a crawl result whose pages are in the record store. Out: the same with a [`ClassReading`]
//! for each class. Two passes over the record store: what recurs, then what stands at each place;
//! between them, some pages of a class and those that they lead to tell where its menus are.

use std::collections::HashSet;

use url::Url;

use crate::content::Content;
use crate::table::{RecordStore, RecordStoreError};
use crate::wrapper::reading::{
    ClassReading, Guide, Hashes, MenuSearch, ReadingTuning, Vocabulary, VocabularyCounts, decide, find_site_frame,
};

use super::class_names::name_classes;
use super::class_reader::ClassReader;
use super::ledger::Ledger;
use super::name_hints::NameHints;
use super::options::CrawlResult;

/// The pages of a class whose entries are followed to see whether they are a menu.
const MENU_PAGES: usize = 48;

/// Learns how the pages of each class are read.
pub fn learn_readings(
    crawl_result: &mut CrawlResult,
    record_store: &mut dyn RecordStore,
    tuning: &ReadingTuning,
) -> Result<(), RecordStoreError> {
    let ledger = &crawl_result.ledger;
    let mut counts = vec![VocabularyCounts::new(tuning.vocabulary.clone()); crawl_result.readers.len()];
    let mut hints = NameHints::new(crawl_result.readers.iter().map(|reader| reader.pages.len()).collect());
    for (class, reader) in crawl_result.readers.iter().enumerate() {
        each_content(ledger, class, reader, record_store, &mut |url, content| {
            counts[class].add(content);
            hints.add(class, url, content, ledger);
            Ok(())
        })?;
    }
    let site_frame = find_site_frame(&counts);
    for (class, counts) in counts.into_iter().enumerate() {
        let mut vocabulary = counts.finish(&site_frame);
        vocabulary.menus = find_menus(crawl_result, class, record_store, &vocabulary)?;
        let mut guide = Guide::default();
        each_content(
            ledger,
            class,
            &crawl_result.readers[class],
            record_store,
            &mut |_, content| {
                guide.add(content, &vocabulary);
                Ok(())
            },
        )?;
        let schema = decide(guide, vocabulary.n_pages(), &tuning.schema);
        crawl_result.readers[class].reading = Some(ClassReading { vocabulary, schema });
    }
    // A text or more for each address: freed here, since tables are made with what is left.
    let link_texts = std::mem::take(&mut crawl_result.link_texts);
    hints.add_link_texts(&crawl_result.readers, ledger, &link_texts, &crawl_result.shapes);
    drop(link_texts);
    name_classes(&mut crawl_result.readers, &crawl_result.ledger, &hints);
    for reading in crawl_result
        .readers
        .iter_mut()
        .filter_map(|reader| reader.reading.as_mut())
    {
        for list in reading.schema.fields.iter_mut().filter(|field| field.is_list) {
            list.mark = hints.shown_mark(list).unwrap_or_default();
        }
    }
    Ok(())
}

/// Where the pages of a class have menus that lead to some of them.
fn find_menus(
    crawl_result: &CrawlResult,
    class: usize,
    record_store: &mut dyn RecordStore,
    vocabulary: &Vocabulary,
) -> Result<Hashes, RecordStoreError> {
    let (ledger, reader) = (&crawl_result.ledger, &crawl_result.readers[class]);
    let step = reader.pages.len().div_ceil(MENU_PAGES).max(1);
    let followed: HashSet<&str> = (reader.pages.iter().step_by(step))
        .map(|&page| ledger.addresses.text(page))
        .collect();
    // Under the address that a page's row is under.
    let row_address = |link: &str| {
        let page = ledger.page_at(link).filter(|(of, _)| *of == class);
        page.map(|(_, page)| ledger.addresses.text(page))
    };
    let mut search = MenuSearch::default();
    some_contents(
        ledger,
        class,
        reader,
        record_store,
        &mut |url| followed.contains(url),
        &mut |url, content| {
            search.follow(url.as_str(), content, vocabulary, &row_address);
            Ok(())
        },
    )?;
    let wanted: HashSet<String> = search.targets().map(str::to_owned).collect();
    some_contents(
        ledger,
        class,
        reader,
        record_store,
        &mut |url| wanted.contains(url),
        &mut |url, content| {
            search.arrive(url.as_str(), content, vocabulary, &row_address);
            Ok(())
        },
    )?;
    Ok(search.finish())
}

/// Shows the content of every page of a class once, under the address that its row is under.
pub(super) fn each_content(
    ledger: &Ledger,
    class: usize,
    reader: &ClassReader,
    record_store: &mut dyn RecordStore,
    take: &mut dyn FnMut(&Url, &Content) -> Result<(), RecordStoreError>,
) -> Result<(), RecordStoreError> {
    some_contents(ledger, class, reader, record_store, &mut |_| true, take)
}

/// The same of some pages.
fn some_contents(
    ledger: &Ledger,
    class: usize,
    reader: &ClassReader,
    record_store: &mut dyn RecordStore,
    is_wanted: &mut dyn FnMut(&str) -> bool,
    take: &mut dyn FnMut(&Url, &Content) -> Result<(), RecordStoreError>,
) -> Result<(), RecordStoreError> {
    for &store_class in &reader.store_classes {
        record_store.each(store_class, &mut |url, bytes| {
            let own = ledger.page_at(url.as_str());
            let is_row = own.is_some_and(|(at, own)| at == class && ledger.addresses.text(own) == url.as_str());
            if !is_row || !is_wanted(url.as_str()) {
                return Ok(());
            }
            match Content::from_bytes(bytes) {
                Some(content) => take(url, &content),
                None => Err(RecordStoreError::damaged(url)),
            }
        })?;
    }
    Ok(())
}
