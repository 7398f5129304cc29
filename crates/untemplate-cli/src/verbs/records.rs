//! `untemplate records`: the main list of one page, as a table.

use anyhow::Result;
use serde_json::{Map, Value, json};
use untemplate::page::{Page, xpath_of};
use untemplate::record::{ListRegion, RecordOptions, Weights, find_records};

use crate::arguments::RecordsArguments;
use crate::outcome::Outcome;
use crate::output::write_result;
use crate::page_arguments::read_page;
use crate::sources::open_site;
use crate::summary::summarised;

/// Finds the records of a page and writes them.
pub fn run(arguments: &RecordsArguments) -> Result<Outcome> {
    summarised("records", &arguments.output, |summary| {
        let mut site = open_site(&arguments.sources, &arguments.output, false)?;
        let page = read_page(&arguments.page, &mut site, &arguments.sources)?;
        summary.figures = site.figures;
        let found = find_records(
            &page,
            &RecordOptions {
                all: arguments.all,
                weights: Weights::default(),
            },
        );
        let regions: Vec<Value> = found.regions.iter().map(|region| region_json(&page, region)).collect();
        let n: usize = found.regions.iter().map(|region| region.records.len()).sum();
        summary.more.push(("records", json!(n)));
        let result = json!({"page": arguments.page, "regions": regions});
        write_result(&arguments.output, format!("{result}\n").as_bytes())?;
        Ok(if regions.is_empty() { Outcome::Nothing } else { Outcome::Complete })
    })
}


fn region_json(page: &Page, region: &ListRegion) -> Value {
    let records: Vec<Value> = region
        .records
        .iter()
        .map(|record| {
            let nodes: Vec<String> = record.nodes.iter().map(|&node| xpath_of(&page.dom, node)).collect();
            let mut fields = Map::new();
            for (column, value) in region.columns.iter().zip(&record.fields) {
                if let Some(value) = value {
                    fields.insert(column.name.clone(), json!(value));
                }
            }
            json!({"nodes": nodes, "fields": fields})
        })
        .collect();
    let columns: Vec<&str> = region.columns.iter().map(|column| column.name.as_str()).collect();
    json!({"xpath": xpath_of(&page.dom, region.node), "score": region.score, "why": region.explanation, "columns": columns, "records": records})
}
