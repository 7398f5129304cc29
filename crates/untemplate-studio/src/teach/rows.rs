//! Rows: "these rows" of a click on a cell or an item, and the rows that are read already.

use maud::{Markup, html};
use serde_json::Value;
use untemplate::page::NodeId;
use untemplate::rule::{Picked, Selected};
use untemplate::teach::{Choice, ProposedRows, RowField, RowReading, TaughtRows, propose_rows, show_row_field};

use super::asked::{Asked, query};
use super::marks::{Mark, collapsed, marks, picked_marks};
use super::naming::{clean_id, free_name, snake};
use super::panel::Scene;
use super::picked::{Pick, hidden_pick};

/// Rows whose values are shown beside a proposal.
const ROWS_SHOWN: usize = 3;

/// Marks of rows on a page at most: more light up nothing.
const MARKED_MAX: usize = 2000;

/// What a click proposes as rows, with the one that is looked at.
pub struct RowsOffer {
    all: Vec<ProposedRows>,
    chosen: usize,
}

impl RowsOffer {
    /// The rows around what was clicked.
    pub fn of(scene: &Scene<'_>, pick: &Pick, asked: &Asked) -> Option<Self> {
        let all = propose_rows(scene.session().sample(), scene.page_number, pick.node);
        let chosen = asked.number("rows").min(all.len().checked_sub(1)?);
        Some(Self { all, chosen })
    }

    fn proposed(&self) -> &ProposedRows {
        &self.all[self.chosen]
    }

    /// Whether it is more likely than not that rows are meant.
    pub fn is_likely(&self) -> bool {
        let first = &self.all[0];
        first.rows.len() > 2 && first.fields.iter().filter(|field| field.is_wanted).count() > 1
    }

    /// The marks of its rows.
    pub fn marks(&self, scene: &Scene<'_>) -> Vec<Value> {
        row_marks(scene, &self.proposed().rows)
    }
}

fn row_marks(scene: &Scene<'_>, rows: &[NodeId]) -> Vec<Value> {
    let place = |&node: &NodeId| Selected { node, attribute: None };
    marks(&scene.page.page.dom, Mark::Row, rows.iter().take(MARKED_MAX).map(place))
}

/// The form that takes the rows: which columns, and what they are called.
pub fn rows_form(scene: &Scene<'_>, offer: &RowsOffer, asked: &Asked) -> Markup {
    let proposed = offer.proposed();
    let trial = taught_from(proposed, String::new());
    let read = trial.read(&scene.page.page).rows;
    html! {
        details.rows open[offer.is_likely()] {
            summary { strong { "These " (read.len()) " rows" } " " span.quiet { "each becomes a row of a table" } }
            @if offer.all.len() > 1 {
                p.pages aria-label="Which rows" {
                    @for (index, other) in offer.all.iter().enumerate() {
                        a data-soft="" href=(with_rows(scene, asked, index)) aria-current=[(index == offer.chosen).then_some("true")]
                            data-marks=(Value::from(row_marks(scene, &other.rows)).to_string()) { (other.rows.len()) " rows" }
                    }
                }
            }
            form.stack method="post" action=(scene.action()) data-soft="" {
                (scene.hidden("rows"))
                (hidden_pick(asked))
                input type="hidden" name="rows" value=(offer.chosen);
                label { "The table is called " input name="table" value=(table_name(scene, proposed)) required maxlength="64" size="16"; }
                (columns_table(scene, proposed, &read))
                div.row { button.primary { "Read these rows on every page" } }
                (counts(scene, &trial))
            }
        }
    }
}

/// The columns, each to be unchecked or renamed, with what the first rows have.
fn columns_table(scene: &Scene<'_>, proposed: &ProposedRows, read: &[RowReading]) -> Markup {
    html! {
        div.scroll.columns tabindex="0" {
            table {
                thead { tr { th scope="col" { span.unseen { "Wanted" } } th scope="col" { "Column" } th scope="col" { "First rows" } } }
                tbody {
                    @for (index, its) in proposed.fields.iter().enumerate() {
                        @let cells: Vec<&Picked> = read.iter().filter_map(|row| row.values[index].as_ref()).collect();
                        @let first: Vec<&str> = cells.iter().take(ROWS_SHOWN).map(|cell| cell.text.as_str()).collect();
                        @let marked = picked_marks(&scene.page.page.dom, Mark::Field, &cells.into_iter().cloned().collect::<Vec<_>>());
                        tr data-marks=(Value::from(marked).to_string()) {
                            td { input type="checkbox" name="column" value=(index) checked[its.is_wanted] aria-label={ "Read " (its.field.name) }; }
                            td { input name={ "name-" (index) } value=(its.field.name) aria-label={ "Name of column " (index + 1) } maxlength="64" size="12"; }
                            td.quiet { span.line { (first.join(" · ")) } }
                        }
                    }
                }
            }
        }
    }
}

/// How many rows each page of the sample has.
fn counts(scene: &Scene<'_>, rows: &TaughtRows) -> Markup {
    html! {
        p.quiet {
            "Rows on the pages of the sample: "
            @for (number, page) in scene.session().sample().iter().enumerate() {
                @if number > 0 { ", " }
                a data-soft="" href=(scene.page_at(number)) { (rows.read(&page.page).rows.len()) }
            }
        }
    }
}

/// This view, with other rows looked at.
fn with_rows(scene: &Scene<'_>, asked: &Asked, index: usize) -> String {
    let index = index.to_string();
    let kept = ["pick", "said", "selected", "letter"]
        .into_iter()
        .filter(|name| asked.has(name));
    let mut pairs: Vec<(&str, &str)> = kept.map(|name| (name, asked.get(name))).collect();
    pairs.push(("rows", &index));
    format!("{}&{}", scene.here(), query(&pairs))
}

/// What the page calls the rows, or else the class and "rows".
fn table_name(scene: &Scene<'_>, proposed: &ProposedRows) -> String {
    let title = proposed.title.as_deref().and_then(snake);
    let name = title.unwrap_or_else(|| format!("{}_rows", scene.class_id()));
    free_name(&name.to_uppercase(), &scene.known.said)
}

fn taught_from(proposed: &ProposedRows, name: String) -> TaughtRows {
    TaughtRows {
        name,
        is_optional: true,
        path: proposed.path.clone(),
        fields: proposed.fields.iter().map(|its| its.field.clone()).collect(),
    }
}

/// The choice that the form of a proposal makes.
pub fn rows_choice(scene: &Scene<'_>, asked: &Asked) -> Result<Choice, &'static str> {
    let pick = Pick::read(&scene.page.page, asked).ok_or("odd")?;
    let offer = RowsOffer::of(scene, &pick, asked).ok_or("odd")?;
    let name = clean_id(asked.get("table")).ok_or("unnamed")?;
    let mut rows = taught_from(offer.proposed(), free_name(&name, &scene.known.said));
    rows.fields = kept_fields(&rows.fields, asked)?;
    let class = scene.class_id().to_owned();
    Ok(Choice::Rows { class, rows })
}

/// The choice that the form of rows that are known makes: other names, fewer columns.
pub fn edited_choice(scene: &Scene<'_>, asked: &Asked) -> Result<Choice, &'static str> {
    let known = &scene.known.lesson.classes[scene.class].rows;
    let mut rows = known
        .iter()
        .find(|its| its.name == asked.get("table"))
        .ok_or("odd")?
        .clone();
    rows.fields = kept_fields(&rows.fields, asked)?;
    let class = scene.class_id().to_owned();
    Ok(Choice::Rows { class, rows })
}

/// The fields that are checked, under the names that they were given.
fn kept_fields(fields: &[RowField], asked: &Asked) -> Result<Vec<RowField>, &'static str> {
    let mut kept: Vec<RowField> = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let index = index.to_string();
        if !asked.all("column").any(|checked| checked == index) {
            continue;
        }
        let name = collapsed(asked.get(&format!("name-{index}")));
        let is_taken = kept.iter().any(|its| its.name.eq_ignore_ascii_case(&name));
        if name.is_empty() || is_taken || name.contains(char::is_control) {
            return Err("unnamed");
        }
        kept.push(RowField { name, ..field.clone() });
    }
    if kept.is_empty() { Err("columns") } else { Ok(kept) }
}

/// The rows of the class in view that are read.
pub fn known_rows(scene: &Scene<'_>) -> Markup {
    let known = &scene.known.lesson.classes[scene.class].rows;
    html! {
        @for rows in known {
            @let read = rows.read(&scene.page.page).rows;
            details.field {
                summary { strong { (rows.name) } " " span.value { (read.len()) " rows here" } }
                form.stack method="post" action=(scene.action()) data-soft="" {
                    (scene.hidden("edit_rows"))
                    input type="hidden" name="table" value=(rows.name);
                    (known_columns(scene, rows, &read))
                    div.row { button { "Keep these columns and names" } }
                }
                (counts(scene, rows))
                details { summary.quiet { "Rules" }
                    code.rule { (rows.path) }
                    @for field in &rows.fields { code.rule { (field.name) ": " (show_row_field(field)) } }
                }
                (scene.button("remove_rows", &[("table", &rows.name)], "Remove"))
            }
        }
    }
}

fn known_columns(scene: &Scene<'_>, rows: &TaughtRows, read: &[RowReading]) -> Markup {
    html! {
        div.scroll.columns tabindex="0" {
            table { tbody {
                @for (index, field) in rows.fields.iter().enumerate() {
                    @let cells: Vec<Picked> = read.iter().filter_map(|row| row.values[index].clone()).collect();
                    @let first: Vec<&str> = cells.iter().take(ROWS_SHOWN).map(|cell| cell.text.as_str()).collect();
                    tr data-marks=(Value::from(picked_marks(&scene.page.page.dom, Mark::Field, &cells)).to_string()) {
                        td { input type="checkbox" name="column" value=(index) checked aria-label={ "Read " (field.name) }; }
                        td { input name={ "name-" (index) } value=(field.name) aria-label={ "Name of column " (index + 1) } maxlength="64" size="12"; }
                        td.quiet { span.line { (first.join(" · ")) } }
                    }
                }
            } }
        }
    }
}

/// The marks of what is read in rows on the page in view.
pub fn known_marks(scene: &Scene<'_>) -> Vec<Value> {
    let known = &scene.known.lesson.classes[scene.class].rows;
    let read = known.iter().flat_map(|rows| rows.read(&scene.page.page).rows);
    let cells: Vec<Picked> = read.flat_map(|row| row.values).flatten().take(MARKED_MAX).collect();
    picked_marks(&scene.page.page.dom, Mark::Field, &cells)
}
