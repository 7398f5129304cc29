//! How fast pages are classified: reads a model and pages, then says what a parsed page costs.
//!
//! `cargo run --release -p untemplate-store --example classify_speed -- MODEL URL_BASE FILE…`. Two
//! figures: what is taken from the page (its fingerprint) and the classification by it.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use untemplate::page::{AttributeFilter, Page, ParseOptions, Response};
use untemplate::site::model::{Classifier, sight};
use untemplate_store::read_model;
use url::Url;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, base, files @ ..] = arguments.as_slice() else {
        return Err("give a model, an address and pages".into());
    };
    let model = read_model(Path::new(model))?;
    let base = Url::parse(base)?;
    let mut pages = Vec::new();
    for file in files {
        let url = base.join(file)?;
        pages.push(Page::read(
            &Response::html(url, fs::read(file)?),
            &ParseOptions::default(),
        ));
    }
    let filter = AttributeFilter { mode: model.attributes };
    let classifier = Classifier::new(&model);
    let per_page = |began: Instant| began.elapsed().as_secs_f64() * 1e6 / pages.len().max(1) as f64;
    let began = Instant::now();
    let fingerprints: Vec<_> = pages.iter().map(|page| sight(page, &filter).fingerprint).collect();
    let taken = per_page(began);
    let began = Instant::now();
    let known = pages.iter().zip(&fingerprints);
    let n_known = known
        .filter(|(page, fingerprint)| classifier.classify(fingerprint, &page.url).class.is_some())
        .count();
    let classified = per_page(began);
    let n_nodes: usize = pages.iter().map(|page| page.dom.len()).sum();
    println!(
        "{} pages of {} nodes, {n_known} known",
        pages.len(),
        n_nodes / pages.len().max(1)
    );
    println!("fingerprint {taken:.1} µs, classification {classified:.1} µs a page");
    Ok(())
}
