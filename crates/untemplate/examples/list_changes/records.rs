//! Changes to the records of a list and to what stands among them.

use crate::tree::{Element, Tree, element, link, says, with};

/// The children of the element that holds all records, cut where records begin.
struct List<'a> {
    /// The element.
    parent: &'a mut Element,
    /// What stands before the first record.
    before: Vec<Tree>,
    /// The records, each with what stands between it and the next one.
    records: Vec<Vec<Tree>>,
    /// What stands after the last record.
    after: Vec<Tree>,
}

/// Takes the list of a page out of its element; `None` where records are not beside each other.
fn list(page: &mut Tree) -> Option<List<'_>> {
    let parent = parent_of_records(page)?;
    let marks: Vec<Option<usize>> = parent.children.iter().map(Tree::mark).collect();
    let known: Vec<usize> = marks.iter().copied().flatten().collect();
    if !known.is_sorted() {
        return None;
    }
    let (mut before, mut records, mut after) = (Vec::new(), Vec::<Vec<Tree>>::new(), Vec::new());
    let last = marks.iter().rposition(Option::is_some)?;
    for (at, child) in std::mem::take(&mut parent.children).into_iter().enumerate() {
        let is_new = marks[at].is_some_and(|mark| mark == records.len());
        match records.last_mut() {
            _ if at > last => after.push(child),
            _ if is_new => records.push(vec![child]),
            None => before.push(child),
            Some(record) => record.push(child),
        }
    }
    Some(List {
        parent,
        before,
        records,
        after,
    })
}

/// The element that has a part of every record among its children.
fn parent_of_records(tree: &mut Tree) -> Option<&mut Element> {
    let n_records = n_marked(tree);
    let mut at = tree;
    loop {
        let Tree::Element(element) = at else { return None };
        let own: std::collections::BTreeSet<usize> = element.children.iter().filter_map(Tree::mark).collect();
        if own.len() == n_records {
            return Some(element);
        }
        let next = element.children.iter().position(|child| n_marked(child) == n_records)?;
        at = &mut element.children[next];
    }
}

fn n_marked(tree: &Tree) -> usize {
    let mut marks = std::collections::BTreeSet::new();
    let mut waiting = vec![tree];
    while let Some(tree) = waiting.pop() {
        marks.extend(tree.mark());
        if let Tree::Element(element) = tree {
            waiting.extend(&element.children);
        }
    }
    marks.len()
}

/// What an element that stands among records is.
fn neighbour_tag(parent: &str) -> &'static str {
    match parent {
        "ul" | "ol" => "li",
        "tbody" | "table" | "thead" => "tr",
        "dl" => "dd",
        "tr" => "td",
        _ => "div",
    }
}

fn is_table(parent: &str) -> bool {
    matches!(parent, "tbody" | "table" | "thead" | "tr" | "dl")
}

/// An element among records that holds `children`.
fn neighbour(parent: &str, class: &str, children: Vec<Tree>) -> Tree {
    match neighbour_tag(parent) {
        "tr" => element("tr", class, vec![with(element("td", "", children), "colspan", "9")]),
        tag => element(tag, class, children),
    }
}

impl List<'_> {
    /// Puts everything back, with the records as they are now.
    fn close(self) {
        self.parent.children = self.before;
        self.parent.children.extend(self.records.into_iter().flatten());
        self.parent.children.extend(self.after);
    }

    /// Divides the list: each group in a box of its own, or in a list of its own where the records
    /// are items.
    fn divide(self, groups: Vec<Vec<Vec<Tree>>>, class: &str, heading: Option<&dyn Fn(usize) -> Tree>) {
        let is_list = matches!(self.parent.tag.as_str(), "ul" | "ol");
        let model = self.parent.clone();
        let mut boxes = Vec::new();
        for (number, group) in groups.into_iter().enumerate() {
            let mut inside: Vec<Tree> = group.into_iter().flatten().collect();
            if is_list {
                let mut list = model.clone();
                list.children = inside;
                inside = vec![Tree::Element(list)];
            }
            if let Some(heading) = heading {
                inside.insert(0, heading(number));
            }
            boxes.push(element("div", class, inside));
        }
        if is_list {
            self.parent.tag = "div".to_owned();
            self.parent.attributes.clear();
        }
        let wrap = |children: Vec<Tree>| match is_list && !children.is_empty() {
            true => {
                let mut list = model.clone();
                list.children = children;
                vec![Tree::Element(list)]
            }
            false => children,
        };
        self.parent.children = wrap(self.before);
        self.parent.children.extend(boxes);
        self.parent.children.extend(wrap(self.after));
    }
}

/// Each record in a box, or what an item holds in one.
pub fn boxed(page: &mut Tree, depth: usize) -> Option<()> {
    let mut list = list(page)?;
    let tag = list.parent.tag.clone();
    if is_table(&tag) {
        return None;
    }
    let around = |mut children: Vec<Tree>| {
        for level in 0..depth {
            children = vec![element("div", ["box", "", "inner"][level % 3], children)];
        }
        children
    };
    for record in &mut list.records {
        match &mut record[0] {
            Tree::Element(item) if item.tag == "li" => item.children = around(std::mem::take(&mut item.children)),
            _ => *record = around(std::mem::take(record)),
        }
    }
    list.close();
    Some(())
}

const HEADINGS: [&str; 5] = ["Amberly", "Brackwater", "Castle Denning", "Dunmore", "Eastholm"];

/// Records under four headings, in boxes or beside each other.
pub fn grouped(page: &mut Tree, in_boxes: bool) -> Option<()> {
    let mut list = list(page)?;
    let n = list.records.len();
    let tag = list.parent.tag.clone();
    if n < 8 || in_boxes && is_table(&tag) {
        return None;
    }
    let cuts = [0, n / 6 + 1, n / 2, 2 * n / 3 + 1, n];
    let records = std::mem::take(&mut list.records);
    if in_boxes {
        let groups = cuts.windows(2).map(|cut| records[cut[0]..cut[1]].to_vec());
        list.divide(
            groups.collect(),
            "group",
            Some(&|number| says("h3", "", HEADINGS[number])),
        );
        return Some(());
    }
    for (at, record) in records.into_iter().enumerate() {
        if let Some(number) = cuts[..4].iter().position(|&cut| cut == at) {
            let heading = match tag.as_str() {
                "ul" | "ol" => says("li", "heading", HEADINGS[number]),
                "dl" => says("dt", "heading", HEADINGS[number]),
                "tbody" | "table" | "thead" => {
                    element("tr", "", vec![with(says("th", "", HEADINGS[number]), "colspan", "9")])
                }
                "tr" => return None,
                _ => says("h3", "", HEADINGS[number]),
            };
            list.records.push(vec![heading]);
        }
        list.records.push(record);
    }
    list.close();
    Some(())
}

/// Records side by side: this number in a row, or in two columns for 0.
pub fn in_rows(page: &mut Tree, width: usize) -> Option<()> {
    let mut list = list(page)?;
    if is_table(&list.parent.tag) || list.records.len() < 5 {
        return None;
    }
    let records = std::mem::take(&mut list.records);
    let (width, class) = match width {
        0 => (records.len().div_ceil(2), "column"),
        width => (width, "row"),
    };
    list.divide(records.chunks(width).map(<[Vec<Tree>]>::to_vec).collect(), class, None);
    Some(())
}

/// Each record is one link as a whole.
pub fn link_cards(page: &mut Tree) -> Option<()> {
    let mut list = list(page)?;
    if is_table(&list.parent.tag)
        || list
            .records
            .iter()
            .any(|record| record.iter().filter(|part| part.mark().is_some()).count() != 1)
    {
        return None;
    }
    if matches!(list.parent.tag.as_str(), "ul" | "ol") {
        list.parent.tag = "div".to_owned();
    }
    for (number, record) in list.records.iter_mut().enumerate() {
        let mut address = None;
        record[0].each(&mut |element| {
            if element.tag == "a" {
                address = address.take().or_else(|| element.attribute("href").map(str::to_owned));
                element.tag = "span".to_owned();
                element.attributes.retain(|(name, _)| name != "href");
            }
        });
        let Tree::Element(card) = &mut record[0] else { continue };
        if matches!(card.tag.as_str(), "table" | "tr" | "form") {
            return None;
        }
        card.tag = "a".to_owned();
        card.set("href", &address.unwrap_or_else(|| format!("/card/{number}")));
    }
    list.close();
    Some(())
}

/// An advertisement behind every fourth record, in an element of the records' tag or in another.
pub fn adverts(page: &mut Tree, same_tag: bool) -> Option<()> {
    let mut list = list(page)?;
    let parent = list.parent.tag.clone();
    let tag = list.records[0][0].tag().to_owned();
    let is_bound = is_table(&parent) || matches!(parent.as_str(), "ul" | "ol");
    if tag.is_empty() || !same_tag && is_bound {
        return None;
    }
    for (number, record) in list
        .records
        .iter_mut()
        .enumerate()
        .filter(|(number, _)| number % 4 == 3)
    {
        let address = format!("/promo/{number}");
        let inside = vec![
            link(
                &address,
                vec![with(element("img", "", Vec::new()), "src", "/promo.png")],
            ),
            says(
                "p",
                "",
                "Order the new catalogue today and save on every lamp, chair and table in our house.",
            ),
        ];
        record.push(match (same_tag, tag.as_str()) {
            (true, "tr") => neighbour("tbody", "promo", inside),
            (true, tag) => element(tag, "promo", inside),
            (false, "div") => element("aside", "promo", inside),
            (false, _) => element("div", "promo", inside),
        });
    }
    list.close();
    Some(())
}

/// Where something is put into a record: itself, or a cell of it.
fn inside(record: &mut [Tree], is_last: bool) -> Option<&mut Element> {
    let part = match is_last {
        true => record.iter_mut().rev().find(|part| part.mark().is_some())?,
        false => &mut record[0],
    };
    let Tree::Element(element) = part else { return None };
    let mut element = element;
    while matches!(element.tag.as_str(), "tr" | "table" | "tbody") {
        let is_cell = |child: &Tree| matches!(child.tag(), "tr" | "td" | "tbody" | "th");
        let next = match is_last {
            true => element.children.iter().rposition(is_cell),
            false => element.children.iter().position(is_cell),
        };
        let Tree::Element(inner) = &mut element.children[next?] else {
            return None;
        };
        element = inner;
    }
    Some(element)
}

/// Every third record begins with a badge.
pub fn badges(page: &mut Tree) -> Option<()> {
    let mut list = list(page)?;
    for record in list.records.iter_mut().skip(1).step_by(3) {
        inside(record, false)?.children.insert(0, says("span", "badge", "New"));
    }
    list.close();
    Some(())
}

/// The first record is marked as the best one.
pub fn featured(page: &mut Tree) -> Option<()> {
    let mut list = list(page)?;
    let Some(Tree::Element(first)) = list.records[0].first_mut() else {
        return None;
    };
    let classes = format!("{} featured large", first.attribute("class").unwrap_or(""));
    first.set("class", classes.trim());
    inside(&mut list.records[0], false)?
        .children
        .insert(0, says("div", "ribbon", "Our choice of the week"));
    list.close();
    Some(())
}

/// Each record has details that are shown when somebody asks for them.
pub fn hidden_details(page: &mut Tree) -> Option<()> {
    let mut list = list(page)?;
    for (number, record) in list.records.iter_mut().enumerate() {
        let details = vec![
            says(
                "p",
                "",
                "More about this one, which is shown when somebody asks for it and not before.",
            ),
            element(
                "ul",
                "",
                (0..number % 3 + 1).map(|_| says("li", "", "A fact")).collect(),
            ),
        ];
        let details = with(element("div", "details", details), "style", "display:none");
        inside(record, true)?.children.push(details);
    }
    list.close();
    Some(())
}

/// Each record ends with two buttons that say the same everywhere.
pub fn buttons(page: &mut Tree) -> Option<()> {
    let mut list = list(page)?;
    for record in &mut list.records {
        let buttons = vec![
            says("button", "", "Add to list"),
            link("#", vec![Tree::Text("Compare".to_owned())]),
        ];
        inside(record, true)?.children.push(element("div", "actions", buttons));
    }
    list.close();
    Some(())
}

/// Links to other pages of the list stand behind the last record.
pub fn pager(page: &mut Tree) -> Option<()> {
    let mut list = list(page)?;
    let links = (1..=10).map(|number| link(&format!("?page={number}"), vec![Tree::Text(number.to_string())]));
    let pager = neighbour(&list.parent.tag, "pages", links.collect());
    list.after.insert(0, pager);
    list.close();
    Some(())
}

/// The list has this number of records.
pub fn few(page: &mut Tree, n: usize) -> Option<()> {
    let mut list = list(page)?;
    if list.records.len() <= n {
        return None;
    }
    list.records.truncate(n);
    list.close();
    Some(())
}
