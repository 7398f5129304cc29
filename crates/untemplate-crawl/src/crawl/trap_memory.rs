//! What was learnt of traps, over a restart: the guard's counters are a setting of the archive, and
//! what it has seen is read again from the last pages stored.

use untemplate::page::{Page, ParseOptions, Response};
use untemplate_store::archive::{Archive, ArchiveError, Frontier, PageId, StoredPage};

use crate::client::{ContentKind, sniff};
use crate::trap::{PageFacts, TrapGuard, TrapOptions};

const TRAPS_SETTING: &str = "traps";

/// The last page that the kept counters have counted.
const COUNTED_SETTING: &str = "traps counted up to page";

/// Pages that are looked at again. A trap is a matter of the last hundred pages or so, and a page
/// takes a third of a millisecond.
const PAGES_AGAIN: i64 = 300;

/// How often this many pages are looked at: a second's worth at the most.
const CHUNKS_MAX: usize = 10;

/// Keeps what the guard has counted up to a page.
pub(super) fn keep(archive: &mut dyn Frontier, guard: &TrapGuard, counted: PageId) -> Result<(), ArchiveError> {
    archive.set_setting(TRAPS_SETTING, &guard.to_text())?;
    archive.set_setting(COUNTED_SETTING, &counted.0.to_string())
}

/// The guard as the last run left it, and the last page that it knows.
pub(super) fn recall(
    archive: &mut dyn Archive,
    options: TrapOptions,
    parse: &ParseOptions,
) -> Result<(TrapGuard, PageId), ArchiveError> {
    let text = archive.setting(TRAPS_SETTING)?;
    let guard = text.and_then(|text| TrapGuard::from_text(&text, options).ok());
    let mut guard = guard.unwrap_or_else(|| TrapGuard::new(options));
    let counted = archive.setting(COUNTED_SETTING)?;
    let counted: i64 = counted.and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut last = PageId((counted - PAGES_AGAIN).max(0));
    // What was stored after the counters were kept is counted now, unless the last run got far
    // within seconds.
    for _ in 0..CHUNKS_MAX {
        let pages = archive.captures_after(last, PAGES_AGAIN as usize)?;
        let Some(newest) = pages.last() else { break };
        last = newest.id;
        for page in pages {
            if let Some(facts) = facts(archive, &page, parse)? {
                match page.id.0 <= counted {
                    true => guard.remember(&facts),
                    false => drop(guard.take(&facts)),
                }
            }
        }
    }
    if last.0 > counted {
        keep(archive, &guard, last)?;
    }
    Ok((guard, last.max(PageId(counted))))
}

fn facts(
    archive: &mut dyn Archive,
    page: &StoredPage,
    parse: &ParseOptions,
) -> Result<Option<PageFacts>, ArchiveError> {
    if page.status != 200 || page.unmodified.is_some() {
        return Ok(None);
    }
    let body = archive.body(page.id)?;
    let content_type = page.header("content-type");
    if sniff(&body, content_type) != ContentKind::Html {
        return Ok(None);
    }
    let response = Response {
        content_type: content_type.map(str::to_owned),
        ..Response::html(page.request.url.clone(), body)
    };
    let read = Page::read(&response, parse);
    Ok(Some(PageFacts::of(&read, &page.request.url, page.found_on.as_ref())))
}
