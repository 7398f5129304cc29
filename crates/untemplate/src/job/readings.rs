//! Readings: what reads the pages of each class, learnt from all of them.
//!
//! In: a harvest whose pages are on the shelf. Out: the same with a [`ClassReading`] for each
//! class. Two passes over the shelf: what recurs, then what stands at each place.

use url::Url;

use crate::content::Content;
use crate::table::{Shelf, ShelfError};
use crate::wrapper::reading::{ClassReading, Guide, ReadingTuning, VocabularyCounts, decide, find_site_frame};

use super::class_names::name_classes;
use super::class_reader::ClassReader;
use super::ledger::Ledger;
use super::name_hints::NameHints;
use super::options::Harvest;

/// Learns how the pages of each class are read.
pub fn learn_readings(harvest: &mut Harvest, shelf: &mut dyn Shelf, tuning: &ReadingTuning) -> Result<(), ShelfError> {
    let ledger = &harvest.ledger;
    let mut counts = vec![VocabularyCounts::new(tuning.vocabulary.clone()); harvest.readers.len()];
    let mut hints = NameHints::new(harvest.readers.iter().map(|reader| reader.pages.len()).collect());
    for (class, reader) in harvest.readers.iter().enumerate() {
        each_content(ledger, class, reader, shelf, &mut |url, content| {
            counts[class].add(content);
            hints.add(class, url, content, ledger);
            Ok(())
        })?;
    }
    let site_frame = find_site_frame(&counts);
    for (class, counts) in counts.into_iter().enumerate() {
        let vocabulary = counts.finish(&site_frame);
        let mut guide = Guide::default();
        each_content(ledger, class, &harvest.readers[class], shelf, &mut |_, content| {
            guide.add(content, &vocabulary);
            Ok(())
        })?;
        let schema = decide(guide, vocabulary.n_pages(), &tuning.schema);
        harvest.readers[class].reading = Some(ClassReading { vocabulary, schema });
    }
    hints.add_link_texts(&harvest.readers, ledger, &harvest.link_texts, &harvest.shapes);
    name_classes(&mut harvest.readers, &harvest.ledger, &hints);
    Ok(())
}

/// Shows the content of every page of a class once, under the address that its row is under.
pub(super) fn each_content(
    ledger: &Ledger,
    class: usize,
    reader: &ClassReader,
    shelf: &mut dyn Shelf,
    take: &mut dyn FnMut(&Url, &Content) -> Result<(), ShelfError>,
) -> Result<(), ShelfError> {
    for &shelf_class in &reader.shelf_classes {
        shelf.each(shelf_class, &mut |url, bytes| {
            let own = ledger.page_at(url.as_str());
            if !own.is_some_and(|(at, own)| at == class && ledger.addresses.text(own) == url.as_str()) {
                return Ok(());
            }
            match Content::from_bytes(bytes) {
                Some(content) => take(url, &content),
                None => Err(ShelfError::damaged(url)),
            }
        })?;
    }
    Ok(())
}
