//! Links, link collections and page schemas: what a page offers to follow, by where it stands.
//!
//! In: a [`Page`]. Out: its links; grouped by tag path, its [`LinkCollection`]s; their paths alone,
//! its [`PageSchema`]. Paper: Crescenzi 2004, section 2. Links are `a`, `area`, `frame`, `iframe`
//! and `link rel=next`. Departure: menus and footers are kept, since they tell page classes apart.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use url::Url;

use super::address;
use super::document::Page;
use super::tag_path::{PathId, PathInterner};
use untemplate_html::{Dom, Name, NodeId};

/// A link of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The element.
    pub node: NodeId,
    /// Where it leads, normalised.
    pub url: Url,
}

impl Link {
    /// What a reader sees of it: its text, or else the words for its picture or its title.
    pub fn text(&self, dom: &Dom) -> String {
        let text = dom.visible_text(self.node);
        if !text.is_empty() {
            return text;
        }
        let is_said = |words: &&str| !words.trim().is_empty();
        let picture = dom
            .subtree(self.node)
            .find_map(|node| dom.attribute(node, Name::ALT).filter(is_said));
        let words = picture.or_else(|| dom.attribute(self.node, Name::TITLE)).unwrap_or("");
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The links of a page, in document order.
pub fn links(page: &Page) -> Vec<Link> {
    let targets = link_targets(&page.dom).into_iter();
    targets
        .filter_map(|(node, target)| {
            Some(Link {
                node,
                url: page.resolve(target)?,
            })
        })
        .collect()
}

/// The elements that link, and their raw targets, in document order.
fn link_targets(dom: &Dom) -> Vec<(NodeId, &str)> {
    let target_of = |node: NodeId| match dom.name(node)? {
        Name::A | Name::AREA => dom.attribute(node, Name::HREF),
        Name::FRAME | Name::IFRAME => dom.attribute(node, Name::SRC),
        Name::LINK if is_next(dom, node) => dom.attribute(node, Name::HREF),
        _ => None,
    };
    let targets = dom.offered_nodes().filter_map(|node| Some((node, target_of(node)?)));
    targets.filter(|(_, target)| address::may_be_page(target)).collect()
}

fn is_next(dom: &Dom, link: NodeId) -> bool {
    let relation = dom.attribute(link, Name::REL).unwrap_or("");
    relation
        .split_ascii_whitespace()
        .any(|word| word.eq_ignore_ascii_case("next"))
}

/// A page's links that share a tag path, each target once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkCollection {
    /// The path.
    pub path: PathId,
    /// The links, in document order.
    pub links: Vec<Link>,
}

/// Groups the links of a page by their tag paths, in document order of each path's first link.
pub fn link_collections(page: &Page, interner: &mut PathInterner) -> Vec<LinkCollection> {
    let links = links(page);
    let nodes: Vec<NodeId> = links.iter().map(|link| link.node).collect();
    let paths = interner.paths(&page.dom, &nodes);
    let mut collections: Vec<LinkCollection> = Vec::new();
    let mut by_path: HashMap<PathId, usize, FixedState> = HashMap::default();
    let mut seen: HashSet<(PathId, Url), FixedState> = HashSet::default();
    for (link, path) in links.into_iter().zip(paths) {
        if !seen.insert((path, link.url.clone())) {
            continue;
        }
        let index = *by_path.entry(path).or_insert_with(|| {
            collections.push(LinkCollection {
                path,
                links: Vec::new(),
            });
            collections.len() - 1
        });
        collections[index].links.push(link);
    }
    collections
}

/// The set of tag paths to the links of a page, sorted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct PageSchema {
    paths: Vec<PathId>,
}

impl PageSchema {
    /// The schema of a page: the paths of its link collections. Most targets need not be resolved
    /// for that, so that it costs little more than a walk over the tree.
    pub fn of(page: &Page, interner: &mut PathInterner) -> Self {
        let targets = link_targets(&page.dom).into_iter();
        let nodes = targets
            .filter(|(_, target)| address::is_sound(&page.base, target))
            .map(|(node, _)| node);
        let nodes: Vec<NodeId> = nodes.collect();
        interner.paths(&page.dom, &nodes).into_iter().collect()
    }

    /// The paths, in order.
    pub fn paths(&self) -> &[PathId] {
        &self.paths
    }

    /// How many paths only one of the two has.
    pub fn distance(&self, other: &Self) -> usize {
        self.paths.len() + other.paths.len() - 2 * self.shared(other)
    }

    /// [`PageSchema::distance`] over the number of paths that either has; 0 for two empty schemas.
    pub fn normalised_distance(&self, other: &Self) -> f64 {
        let all = self.paths.len() + other.paths.len() - self.shared(other);
        if all == 0 {
            0.0
        } else {
            self.distance(other) as f64 / all as f64
        }
    }

    /// How many paths both have: one merge of two sorted slices.
    pub fn shared(&self, other: &Self) -> usize {
        let (mut left, mut right, mut shared) = (0, 0, 0);
        while left < self.paths.len() && right < other.paths.len() {
            let order = self.paths[left].cmp(&other.paths[right]);
            shared += usize::from(order.is_eq());
            left += usize::from(order.is_le());
            right += usize::from(order.is_ge());
        }
        shared
    }
}

impl FromIterator<PathId> for PageSchema {
    fn from_iter<I: IntoIterator<Item = PathId>>(paths: I) -> Self {
        let mut paths: Vec<PathId> = paths.into_iter().collect();
        paths.sort_unstable();
        paths.dedup();
        Self { paths }
    }
}
