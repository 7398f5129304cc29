//! Microdata, as the HTML standard has it: `itemscope`, `itemtype`, `itemid`, `itemprop`,
//! `itemref`.

use std::collections::HashMap;

use untemplate_html::{Dom, Name, NodeId};

use super::{Budget, DEPTH_MAX, DataItem, DataSyntax, DataValue, plain_name};
use crate::page::Page;

/// Reads the items that are no property of another one.
pub(super) fn read(page: &Page, budget: &mut Budget) -> Vec<DataItem> {
    let Some(reader) = Reader::new(page) else {
        return Vec::new();
    };
    let dom = &page.dom;
    let is_top = |node: &NodeId| reader.is_item(*node) && dom.attribute(*node, Name::ITEMPROP).is_none();
    let tops: Vec<NodeId> = dom.nodes().filter(is_top).collect();
    tops.into_iter()
        .map(|top| reader.item(top, &mut vec![top], budget))
        .collect()
}

struct Reader<'a> {
    page: &'a Page,
    scope: Name,
    kind: Option<Name>,
    id: Option<Name>,
    refers: Option<Name>,
    /// By `id`, for `itemref`.
    by_id: HashMap<&'a str, NodeId>,
}

impl<'a> Reader<'a> {
    /// A reader, unless the page has no item at all.
    fn new(page: &'a Page) -> Option<Self> {
        let dom = &page.dom;
        let names = dom.names();
        let scope = names.find("itemscope")?;
        let refers = names.find("itemref");
        let mut by_id = HashMap::new();
        if refers.is_some() {
            for node in dom.nodes() {
                if let Some(id) = dom.attribute(node, Name::ID) {
                    by_id.entry(id).or_insert(node);
                }
            }
        }
        Some(Self {
            page,
            scope,
            kind: names.find("itemtype"),
            id: names.find("itemid"),
            refers,
            by_id,
        })
    }

    fn is_item(&self, node: NodeId) -> bool {
        self.page.dom.attribute(node, self.scope).is_some()
    }

    /// The item at an element; `path` are the items that it is inside of, and itself.
    fn item(&self, node: NodeId, path: &mut Vec<NodeId>, budget: &mut Budget) -> DataItem {
        let dom = &self.page.dom;
        let text = |name: Option<Name>| name.and_then(|name| dom.attribute(node, name));
        let mut item = DataItem::new(DataSyntax::Microdata);
        let types = text(self.kind).unwrap_or("").split_ascii_whitespace();
        item.types = types.map(|kind| plain_name(kind).to_owned()).collect();
        item.id = text(self.id).map(|id| address(self.page, id));
        let referred = text(self.refers).unwrap_or("").split_ascii_whitespace();
        let referred: Vec<NodeId> = referred.filter_map(|id| self.by_id.get(id).copied()).collect();
        for property in self.properties_below(node) {
            self.add(&mut item, property, path, budget);
        }
        for root in referred {
            if dom.attribute(root, Name::ITEMPROP).is_some() {
                self.add(&mut item, root, path, budget);
            }
            if !self.is_item(root) {
                for property in self.properties_below(root) {
                    self.add(&mut item, property, path, budget);
                }
            }
        }
        item
    }

    /// The properties inside of an element that are in no item inside of it, in order.
    fn properties_below(&self, root: NodeId) -> Vec<NodeId> {
        let dom = &self.page.dom;
        let (mut found, mut skip_to) = (Vec::new(), root);
        for node in dom.subtree(root).skip(1) {
            if node < skip_to {
                continue;
            }
            if dom.attribute(node, Name::ITEMPROP).is_some() {
                found.push(node);
            }
            if self.is_item(node) {
                skip_to = dom.subtree_end(node);
            }
        }
        found
    }

    fn add(&self, item: &mut DataItem, node: NodeId, path: &mut Vec<NodeId>, budget: &mut Budget) {
        let dom = &self.page.dom;
        let names = dom.attribute(node, Name::ITEMPROP).unwrap_or("");
        for name in names.split_ascii_whitespace() {
            if !budget.spend() {
                return;
            }
            let value = match self.is_item(node) {
                // An item that is inside of itself, by what it refers to, is not read again.
                true if path.contains(&node) || path.len() >= DEPTH_MAX => continue,
                true => {
                    path.push(node);
                    let own = self.item(node, path, budget);
                    path.pop();
                    DataValue::Item(own)
                }
                false => DataValue::Text(value(self.page, node)),
            };
            item.properties.push((plain_name(name).to_owned(), value));
        }
    }
}

/// The value of an element, as the standard says.
fn value(page: &Page, node: NodeId) -> String {
    let dom = &page.dom;
    let attribute = |name: &str| dom.names().find(name).and_then(|name| dom.attribute(node, name));
    let told = match dom.name_text(node) {
        "meta" => attribute("content").map(str::to_owned),
        "audio" | "embed" | "iframe" | "img" | "source" | "track" | "video" => {
            attribute("src").map(|text| address(page, text))
        }
        "a" | "area" | "link" => attribute("href").map(|text| address(page, text)),
        "object" => attribute("data").map(|text| address(page, text)),
        "data" | "meter" => attribute("value").map(str::to_owned),
        "time" => attribute("datetime").map(str::to_owned),
        // Many pages have it where the standard does not.
        _ => attribute("content").map(str::to_owned),
    };
    let text = told.unwrap_or_else(|| shown_text(dom, node));
    text.trim().to_owned()
}

/// What stands in an element, with blanks between words.
pub(super) fn shown_text(dom: &Dom, node: NodeId) -> String {
    let text = dom.visible_text(node);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An address on a page, in full.
pub(super) fn address(page: &Page, text: &str) -> String {
    let text = text.trim();
    page.base.join(text).map_or_else(|_| text.to_owned(), String::from)
}
