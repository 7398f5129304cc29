//! `robots.txt` and the sitemaps: the list of pages for those who ask politely.
//!
//! Lists, groups and records are in the sitemap; searches and months are not.

use crate::page_class::PageClass;
use crate::route::{Route, path_of};
use crate::site::DemoSite;

/// The most addresses in one sitemap, by the protocol's own limit.
const ADDRESSES_MAX: usize = 50_000;

/// The robots file: everything may be read but a folder that nothing links to.
pub fn robots(base_url: &str) -> String {
    format!("User-agent: *\nDisallow: /admin/\n\nSitemap: {base_url}sitemap.xml\n")
}

/// How many sitemaps the site needs.
pub fn sitemap_count(site: &DemoSite) -> u32 {
    u32::try_from(mapped_routes(site).count().div_ceil(ADDRESSES_MAX)).expect("sitemaps are few")
}

/// A sitemap. Number 0 is the only one, or the index of the others, which count from 1.
pub fn sitemap(site: &DemoSite, number: u32) -> Option<String> {
    let count = sitemap_count(site);
    match number {
        0 if count <= 1 => Some(url_set(site, 0)),
        0 => Some(sitemap_index(site, count)),
        _ if count > 1 && number <= count => Some(url_set(site, (number as usize - 1) * ADDRESSES_MAX)),
        _ => None,
    }
}

fn mapped_routes(site: &DemoSite) -> impl Iterator<Item = Route> + '_ {
    site.routes().filter(|route| {
        !matches!(
            PageClass::of(route),
            Some(PageClass::Results | PageClass::Calendar | PageClass::SearchForm | PageClass::FindForm)
        )
    })
}

fn url_set(site: &DemoSite, first: usize) -> String {
    let mut xml = opening("urlset");
    for route in mapped_routes(site).skip(first).take(ADDRESSES_MAX) {
        add_address(&mut xml, "url", &site.base_url, &path_of(&route, &site.source.database));
    }
    xml + "</urlset>\n"
}

fn sitemap_index(site: &DemoSite, count: u32) -> String {
    let mut xml = opening("sitemapindex");
    for number in 1..=count {
        add_address(
            &mut xml,
            "sitemap",
            &site.base_url,
            &path_of(&Route::Sitemap(number), &site.source.database),
        );
    }
    xml + "</sitemapindex>\n"
}

fn opening(element: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{element} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    )
}

/// Addresses of mapped pages hold no character that XML would mind.
fn add_address(xml: &mut String, element: &str, base_url: &str, path: &str) {
    let path = path.trim_start_matches('/');
    xml.push_str(&format!("<{element}><loc>{base_url}{path}</loc></{element}>\n"));
}
