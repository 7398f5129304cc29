//! A small shop that gets another look: what is mended, what is lost, and what stays as it is.

use std::sync::Arc;

use super::*;
use crate::page::{Page, ParseOptions, Response};
use crate::teach::{Example, SamplePage, Session, SessionOptions, Specification, class_specification};

/// The things of a small shop, by number.
const NAMES: [&str; 16] = [
    "Anvil", "Birdseed", "Cannon", "Dynamite", "Egg", "Feather", "Glue", "Hammer", "Iron", "Jet", "Kite", "Lamp",
    "Magnet", "Needle", "Oven", "Piano",
];

fn page(number: usize, html: &str) -> SamplePage {
    let address = format!("http://shop.example/{number}");
    let url = address.parse().expect("a good address");
    let page = Page::read(&Response::html(url, html), &ParseOptions::default());
    SamplePage::new(address, Arc::new(page))
}

fn maker(number: usize) -> String {
    format!("{} Works", NAMES[(5 * number + 3) % 16])
}

fn old(number: usize) -> SamplePage {
    let (name, maker) = (NAMES[number], maker(number));
    let price = 10 + 7 * number;
    page(
        number,
        &format!(
            "<h1>{name}</h1><table class=facts><tr><th>Price<td>$ {price}.50<tr><th>Maker<td>{maker}</table><p>All prices with tax"
        ),
    )
}

/// The same with other mark-up, other labels and another order.
fn new(number: usize) -> SamplePage {
    let (name, maker) = (NAMES[number], maker(number));
    let price = 10 + 7 * number;
    page(
        number,
        &format!(
            "<div class=top><b>{name}</b></div><ul><li><i>Made by</i> <span>{maker}</span><li><i>Costs</i> <span>$ {price}.50</span></ul><p>Tax is in it"
        ),
    )
}

fn specification() -> Specification {
    let mut session = Session::new((0..10).map(old).collect(), SessionOptions::default());
    let examples = [
        ("name", NAMES[0].to_owned()),
        ("price", "$ 10.50".to_owned()),
        ("maker", maker(0)),
    ];
    let example = |(field, value): (&str, String)| Example {
        field: field.to_owned(),
        page: 0,
        value: value.as_str().into(),
    };
    session.show(&examples.map(example));
    class_specification("ITEM", &session)
}

fn outcomes(repair: &Repair) -> Vec<(&str, RepairOutcome)> {
    let outcome = |field: &FieldRepair| field.outcome;
    repair
        .fields
        .iter()
        .map(|field| (field.field.as_str(), outcome(field)))
        .collect()
}

/// What a mended specification reads of a page.
fn read(repair: &Repair, page: &SamplePage) -> Vec<String> {
    let record = crate::teach::extract_by_specification(&page.page, &repair.specification).record;
    let fields = record.expect("the page is of the class").fields.into_iter();
    fields
        .flat_map(|(_, values)| values.into_iter().map(|picked| picked.text))
        .collect()
}

#[test]
fn pages_that_did_not_change_leave_a_specification_as_it_is() {
    let (specification, pages): (_, Vec<SamplePage>) = (specification(), (0..16).map(old).collect());
    let repair = repair_specification(&specification, &pages, &pages, 0.9);
    assert!(repair.is_unchanged(), "{repair:?}");
    assert_eq!(repair.specification, specification);
}

#[test]
fn known_values_lead_to_new_rules() {
    let (archive, pages): (Vec<SamplePage>, Vec<SamplePage>) = ((0..14).map(old).collect(), (0..14).map(new).collect());
    let repair = repair_specification(&specification(), &archive, &pages, 0.9);
    let mended = RepairOutcome::Mended {
        agreed: 14,
        compared: 14,
    };
    assert_eq!(
        outcomes(&repair),
        [("name", mended), ("price", mended), ("maker", mended)]
    );
    assert!(!repair.is_incomplete());
    assert_eq!(read(&repair, &new(15)), ["Piano", "$ 115.50", &maker(15)]);
    // What was learnt anew can be verified, and mended, again.
    let again = repair_specification(&repair.specification, &pages, &pages, 0.9);
    assert!(again.is_unchanged(), "{again:?}");
}

#[test]
fn what_is_gone_is_left_empty() {
    let without = |number: usize| {
        page(
            number,
            &format!("<div class=top><b>{}</b></div><p>Tax is in it", NAMES[number]),
        )
    };
    let (archive, pages): (Vec<SamplePage>, Vec<SamplePage>) =
        ((0..14).map(old).collect(), (0..14).map(without).collect());
    let repair = repair_specification(&specification(), &archive, &pages, 0.9);
    let lost: Vec<&str> = outcomes(&repair)
        .into_iter()
        .filter(|(_, outcome)| *outcome == RepairOutcome::Lost)
        .map(|(field, _)| field)
        .collect();
    assert_eq!(lost, ["price", "maker"]);
    assert!(repair.is_incomplete());
    assert_eq!(read(&repair, &without(15)), ["Piano"]);
}

#[test]
fn labels_decide_where_no_page_is_known() {
    let (archive, pages): (Vec<SamplePage>, Vec<SamplePage>) = ((0..8).map(old).collect(), Vec::new());
    assert!(
        !repair_specification(&specification(), &archive, &pages, 0.9)
            .problems
            .is_empty()
    );
    let boxed = |number: usize| {
        let (name, maker) = (NAMES[number], maker(number));
        let price = 10 + 7 * number;
        let html = format!(
            "<h2>{name}</h2><div><p>Maker</p><p>{maker}</p></div><div><p>Price</p><p>$ {price}.50</p></div><p>All prices with tax"
        );
        let SamplePage { page: made, .. } = page(100 + number, &html);
        SamplePage::new("new", made)
    };
    let pages: Vec<SamplePage> = (8..16).map(boxed).collect();
    let repair = repair_specification(&specification(), &archive, &pages, 0.9);
    let by_label = RepairOutcome::MendedByLabel { pages: 8 };
    assert_eq!(
        outcomes(&repair),
        [("name", RepairOutcome::Lost), ("price", by_label), ("maker", by_label)]
    );
}
