//! Following a list from page to page.
//!
//! In: a site, and the first page of a list. Out: the list of each page, until no page is next, a
//! page was seen before, a page has no list or only records that were seen, or a limit is met. The
//! columns of later pages are matched with those before by name where the pages say it, else by
//! place, since one template makes them all. Names that were made up say nothing: the second text
//! of one page may be the third of the next.

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::fast::FixedState;
use url::Url;

use super::find::{RecordOptions, find_records};
use super::list_region::{Column, ListRecord, ListRegion, PageRecords};
use super::next_page::next_page;
use crate::page::{Event, Page, Request, Site, Visit};

/// A list over several pages.
#[derive(Debug, Clone, Default)]
pub struct FollowedList {
    /// The pages, each with its part of the list.
    pub parts: Vec<(Arc<Page>, ListRegion)>,
    /// Why a page that is there could not be followed to, if so: the list is not whole.
    pub cut_short: Option<String>,
}

/// Collects a list from its first page on, over at most `pages_max` pages.
pub fn follow_list(site: &mut dyn Site, first: Arc<Page>, options: &RecordOptions, pages_max: usize) -> FollowedList {
    follow_list_with(site, first, &|page| find_records(page, options), pages_max)
}

/// As [`follow_list`], with another way to find the records of a page.
pub fn follow_list_with(
    site: &mut dyn Site,
    first: Arc<Page>,
    find: &dyn Fn(&Page) -> PageRecords,
    pages_max: usize,
) -> FollowedList {
    let mut followed = FollowedList::default();
    let mut visited: HashSet<Url, FixedState> = HashSet::default();
    let mut seen: HashSet<Vec<Option<String>>, FixedState> = HashSet::default();
    let mut page = first;
    loop {
        visited.insert(page.url.clone());
        let Some(region) = find(&page).regions.into_iter().next() else {
            return followed;
        };
        let is_new = |record: &ListRecord| {
            seen.insert(
                record
                    .fields
                    .iter()
                    .map(|field| field.as_ref().map(|field| field.value.clone()))
                    .collect(),
            )
        };
        // All records must be looked at: each is remembered.
        if region.records.iter().map(is_new).filter(|is_new| *is_new).count() == 0 {
            return followed;
        }
        let next = next_page(&page).filter(|url| !visited.contains(url));
        followed.parts.push((page, region));
        site.note(Event::Found(
            followed.parts.iter().map(|(_, region)| region.records.len()).sum(),
        ));
        let Some(next) = next else { return followed };
        if followed.parts.len() == pages_max {
            followed.cut_short = Some(format!("the list goes on at {next}; --max-pages {pages_max} was met"));
            return followed;
        }
        page = match site.visit(&[Request::get(next.clone())]).pop() {
            Some(Visit::Page(page)) if !visited.contains(&page.url) => page,
            Some(Visit::Page(_) | Visit::Dead { .. }) => return followed,
            Some(Visit::Refused { reason } | Visit::NotFollowed { reason } | Visit::Failed { reason }) => {
                followed.cut_short = Some(reason);
                return followed;
            }
            Some(Visit::Stopped) | None => {
                followed.cut_short = Some(format!("the visit of {next} was stopped"));
                return followed;
            }
        };
    }
}

impl FollowedList {
    /// The columns of all parts: those of the first, then what only later ones have.
    pub fn columns(&self) -> Vec<Column> {
        let mut columns: Vec<Column> = Vec::new();
        for column in self.parts.iter().flat_map(|(_, region)| &region.columns) {
            if !columns.iter().any(|known| is_same(known, column)) {
                columns.push(column.clone());
            }
        }
        columns
    }

    /// The fields of one part's record in the order of [`FollowedList::columns`].
    pub fn fields(columns: &[Column], region: &ListRegion, record: &ListRecord) -> Vec<Option<String>> {
        columns
            .iter()
            .map(|column| {
                let at = region.columns.iter().position(|its| is_same(its, column))?;
                record.fields[at].as_ref().map(|field| field.value.clone())
            })
            .collect()
    }
}

fn is_same(one: &Column, other: &Column) -> bool {
    one.kind == other.kind
        && match one.is_said && other.is_said {
            true => one.name == other.name,
            false => one.place == other.place,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, Response};

    fn list(rows: impl Iterator<Item = String>) -> (Arc<Page>, ListRegion) {
        let html = format!("<ul>{}</ul>", rows.collect::<String>());
        let url = Url::parse("http://a.example/").expect("a good address");
        let page = Arc::new(Page::read(&Response::html(url, html), &ParseOptions::default()));
        let regions = find_records(&page, &RecordOptions::default()).regions;
        let region = regions.into_iter().next().expect("the page has a list");
        (page, region)
    }

    /// The first page shows authors, the second does not: its prices stay below the prices.
    #[test]
    fn columns_are_matched_by_place() {
        let with = |n: usize| format!("<li><h3>Book {n}{n}</h3><p>Author {n} of it</p><div>{n}7.50 €</div></li>");
        let without = |n: usize| format!("<li><h3>Tome {n}{n}</h3><div>{n}9.50 €</div></li>");
        let list = FollowedList {
            parts: vec![list((1..8).map(with)), list((1..8).map(without))],
            cut_short: None,
        };
        let columns = list.columns();
        let (_, second) = &list.parts[1];
        let fields = FollowedList::fields(&columns, second, &second.records[0]);
        let fields: Vec<Option<&str>> = fields.iter().map(Option::as_deref).collect();
        assert_eq!(fields, [Some("Tome 11"), None, Some("19.50 €")]);
    }
}
