//! The pages to measure on: an even, repeatable sample of each corpus, of bounded size.

use crate::corpora;
use std::path::{Path, PathBuf};

/// Bytes taken of a corpus, about: a second of the slowest parser, so that a whole run stays below
/// three minutes.
const CORPUS_BYTES_MAX: u64 = 40_000_000;

/// Some pages of a corpus, listed in a file.
pub struct Sample {
    pub corpus: String,
    /// One path a line.
    pub list: PathBuf,
    pub n_pages: usize,
}

/// Takes a sample of each folder and writes its list below `out`.
pub fn take(folders: &[PathBuf], pages_max: usize, out: &Path) -> Result<Vec<Sample>, String> {
    folders.iter().map(|folder| take_one(folder, pages_max, out)).collect()
}

fn take_one(folder: &Path, pages_max: usize, out: &Path) -> Result<Sample, String> {
    let folder = folder
        .canonicalize()
        .map_err(|error| format!("cannot open {}: {error}", folder.display()))?;
    let pages = corpora::pages(&folder)?;
    if pages.is_empty() {
        return Err(format!("no .htm or .html file below {}", folder.display()));
    }
    let sizes = pages
        .iter()
        .map(|page| page.metadata().map_or(0, |metadata| metadata.len()));
    let chosen = corpora::spread(&pages, count_for(pages.len(), sizes.sum()).min(pages_max));
    let corpus = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let list = out.join(format!("{corpus}.list"));
    let text: String = chosen.iter().map(|page| format!("{}\n", page.display())).collect();
    std::fs::write(&list, text).map_err(|error| format!("cannot write {}: {error}", list.display()))?;
    Ok(Sample {
        corpus,
        list,
        n_pages: chosen.len(),
    })
}

/// How many of the pages make up the bytes allowed, were they all of one size.
fn count_for(n_pages: usize, n_bytes: u64) -> usize {
    if n_bytes <= CORPUS_BYTES_MAX {
        return n_pages;
    }
    (n_pages as f64 * CORPUS_BYTES_MAX as f64 / n_bytes as f64).ceil() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_bounded_by_bytes() {
        assert_eq!(count_for(97, 5_000_000), 97);
        assert_eq!(count_for(1000, 10 * CORPUS_BYTES_MAX), 100);
        assert_eq!(count_for(1, 10 * CORPUS_BYTES_MAX), 1);
    }
}
