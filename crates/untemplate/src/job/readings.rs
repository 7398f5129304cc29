//! Readings: what reads the pages of each class, learnt from all of them.
//!
//! In: a crawl result whose pages are in the record store. Out: the same with a [`ClassReading`]
//! for each class. Two passes over the record store: what recurs, then what stands at each place.

use url::Url;

use crate::content::Content;
use crate::table::{RecordStore, RecordStoreError};
use crate::wrapper::reading::{ClassReading, Guide, ReadingTuning, VocabularyCounts, decide, find_site_frame};

use super::class_names::name_classes;
use super::class_reader::ClassReader;
use super::ledger::Ledger;
use super::name_hints::NameHints;
use super::options::CrawlResult;

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
        let vocabulary = counts.finish(&site_frame);
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

/// Shows the content of every page of a class once, under the address that its row is under.
pub(super) fn each_content(
    ledger: &Ledger,
    class: usize,
    reader: &ClassReader,
    record_store: &mut dyn RecordStore,
    take: &mut dyn FnMut(&Url, &Content) -> Result<(), RecordStoreError>,
) -> Result<(), RecordStoreError> {
    for &store_class in &reader.store_classes {
        record_store.each(store_class, &mut |url, bytes| {
            let own = ledger.page_at(url.as_str());
            if !own.is_some_and(|(at, own)| at == class && ledger.addresses.text(own) == url.as_str()) {
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
