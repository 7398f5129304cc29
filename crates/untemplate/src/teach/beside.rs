//! What a page itself calls a value: the words beside it that name it.
//!
//! In: a page, and the place of a value. Out: the label, in this order, since what comes first is
//! written for that value alone: what says so for machines (`itemprop`), the words before it in its
//! own text ("Age: 23"), the term of its definition, the header of its column or row, short words
//! right before it that end with a colon or are set apart. `None` where nothing of that stands
//! there; menus and other values never count.

use crate::page::table_layout::{
    cells_of_row, column_headings, heads_columns, is_cell, lay_out, rows_of_table, table_of,
};
use crate::page::{Dom, Name, NodeId};
use crate::rule::{Selected, value_text};

/// Letters of a label: more is prose.
const LETTERS_MAX: usize = 40;

/// Elements that are looked at around a value for words before it.
const HEIGHT_MAX: usize = 4;

/// What a page calls the value at a place, where `offset` letters of its text stand before it.
pub fn label_beside(dom: &Dom, place: Selected, offset: Option<usize>) -> Option<String> {
    by_property(dom, place.node)
        .or_else(|| own_words(dom, place, offset?))
        .or_else(|| term(dom, place.node))
        .or_else(|| header(dom, place.node))
        .or_else(|| words_before(dom, place.node))
}

/// The `itemprop` of the element that holds the value and nothing else.
fn by_property(dom: &Dom, node: NodeId) -> Option<String> {
    let text = dom.visible_text(node);
    let holders = std::iter::once(node).chain(dom.ancestors(node)).take(HEIGHT_MAX);
    let mut holders = holders.take_while(|&it| dom.is_text(it) || dom.visible_text(it) == text);
    let named = holders.find_map(|it| dom.attribute(it, Name::ITEMPROP))?;
    named.split_whitespace().next().map(str::to_owned)
}

/// The words of its own text that stand before it.
fn own_words(dom: &Dom, place: Selected, offset: usize) -> Option<String> {
    let text = value_text(dom, place);
    let before: String = text.chars().take(offset).collect();
    // "Age: 23, Goals: 4": what stands after the last comma or bar is the label of what follows.
    let last = before.rsplit([',', ';', '|', '·']).next()?;
    told(last)
}

/// The term that a definition belongs to.
fn term(dom: &Dom, node: NodeId) -> Option<String> {
    let definition = dom.ancestors(node).take(HEIGHT_MAX).find(|&it| is_tag(dom, it, "dd"))?;
    let parent = dom.parent(definition)?;
    let before = dom.children(parent).take_while(|&it| it != definition);
    let terms = before.filter(|&it| is_tag(dom, it, "dt"));
    told(&dom.visible_text(terms.last()?))
}

/// The header of a cell: that of its column where the table has a header row, else that of its row.
fn header(dom: &Dom, node: NodeId) -> Option<String> {
    let mut around = std::iter::once(node).chain(dom.ancestors(node));
    let cell = around.find(|&it| is_cell(dom, it))?;
    let row = dom.parent(cell)?;
    column_header(dom, row, cell).or_else(|| row_header(dom, row, cell))
}

fn column_header(dom: &Dom, row: NodeId, cell: NodeId) -> Option<String> {
    let rows = rows_of_table(dom, table_of(dom, row)?);
    let layout = lay_out(dom, &rows)?;
    let (_, column) = *layout.get(&row)?.iter().find(|(its, _)| *its == cell)?;
    let above = rows.iter().rev().skip_while(|&&it| it != row).skip(1);
    let header_row = *above.into_iter().find(|&&it| heads_columns(dom, it))?;
    let headings = column_headings(dom, &layout, std::iter::once(header_row));
    told(headings.get(column)?)
}

fn row_header(dom: &Dom, row: NodeId, cell: NodeId) -> Option<String> {
    let cells: Vec<NodeId> = cells_of_row(dom, row).collect();
    let first = *cells.first().filter(|&&first| first != cell)?;
    let is_label = is_tag(dom, first, "th") || cells.len() == 2;
    // In a row of pairs, the cell before is the label.
    let index = cells.iter().position(|&it| it == cell)?;
    let before = *cells.get(index.checked_sub(1)?)?;
    let label = if is_tag(dom, before, "th") { before } else { first };
    is_label.then(|| told(&dom.visible_text(label)))?
}

/// Short words right before a value in the block that it stands in.
fn words_before(dom: &Dom, node: NodeId) -> Option<String> {
    let mut at = node;
    for _ in 0..HEIGHT_MAX {
        let parent = dom.parent(at)?;
        let before = dom.children(parent).take_while(|&it| it != at);
        let before: Vec<NodeId> = before.filter(|&it| !dom.visible_text(it).is_empty()).collect();
        if let Some(&last) = before.last() {
            let text = dom.visible_text(last);
            let is_apart = dom.is_element(last) && is_emphatic(dom, last) && !is_emphatic(dom, at);
            return told(&text).filter(|_| is_apart || text.trim_end().ends_with(':'));
        }
        at = parent;
    }
    None
}

fn is_emphatic(dom: &Dom, node: NodeId) -> bool {
    matches!(
        dom.name_text(node),
        "b" | "strong" | "th" | "dt" | "label" | "em" | "i" | "h2" | "h3" | "h4" | "h5" | "h6"
    )
}

fn is_tag(dom: &Dom, node: NodeId, tag: &str) -> bool {
    dom.is_element(node) && dom.name_text(node) == tag
}

/// A text as a label: without its colon, and neither empty nor prose.
fn told(text: &str) -> Option<String> {
    let label = text.trim().trim_end_matches([':', '：']).trim();
    let is_short = label.chars().count() <= LETTERS_MAX;
    (is_short && label.contains(char::is_alphabetic)).then(|| label.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, parse_html};

    fn check(html: &str, value: &str, expected: Option<&str>) {
        let (dom, _) = parse_html(html, &ParseOptions::default());
        let is_it = |&node: &NodeId| dom.is_text(node) && dom.text(node).contains(value);
        let node = dom.nodes().find(is_it).expect("it is there");
        let place = Selected { node, attribute: None };
        let text = value_text(&dom, place);
        let offset = text.find(value).filter(|_| text != value);
        assert_eq!(label_beside(&dom, place, offset).as_deref(), expected, "{html}");
    }

    #[test]
    fn a_value_is_called_by_the_words_that_are_its_own() {
        check("<p>Age: 23</p>", "23", Some("Age"));
        check("<p>Goals: 9, Age: 23</p>", "23", Some("Age"));
        check("<p>Born <b>Age:</b> 23</p>", "23", Some("Age"));
        check("<dl><dt>Foot<dd>left<dt>Age<dd><p>23</p></dl>", "23", Some("Age"));
        check("<p>Price <b itemprop=price>9</b>", "9", Some("price"));
        check(
            "<p>A long tale of many words and so on to the end of it: 23",
            "23",
            None,
        );
        check("<p>Ada<p>23", "23", None);
    }

    #[test]
    fn a_cell_is_called_by_its_column_and_else_by_its_row() {
        let table = "<table><tr><th>Shares<th colspan=2>30 days<th>90 days<tr><th>Ash<td>1<td>2<td>23</table>";
        check(table, "23", Some("90 days"));
        check(table, "2", Some("30 days"));
        check("<table><tr><th>Age<td>23<th>Foot<td>left</table>", "left", Some("Foot"));
        check("<table><tr><td>Age:<td>23</table>", "23", Some("Age"));
        check("<table><tr><td>Ada<td>4<td>23</table>", "23", None);
    }
}
