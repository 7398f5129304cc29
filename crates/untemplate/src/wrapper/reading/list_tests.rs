//! What is a list, and of what: small classes of pages, and what the first page of each says.

use expect_test::expect;

use super::tests::{check_first, pages};

#[test]
fn a_section_that_all_pages_have_makes_no_list_of_two_that_some_have() {
    let section = |name: &str, number: usize| {
        format!("<h2>{name}</h2><dl><dt>Length<dd>{number}0 m<dt>Crew<dd>{number} and {name}</dl>")
    };
    let page = |number: usize| {
        let some: String = (0..2)
            .filter(|refit| !(number + refit).is_multiple_of(3))
            .map(|refit| section(["First refit", "Last refit"][refit], number + 5 * refit))
            .collect();
        format!("<h1>Ship {number}</h1>{}{some}", section("As built", number))
    };
    check_first(
        &pages(12, page),
        expect![[r#"
            /#h1/heading = Ship 0
            /#h1/# As built/dl/Length:/dd = 00 m
            /#h1/# As built/dl/Crew:/dd = 0 and As built
            /#h1/# Last refit/dl/Length:/dd = 50 m
            /#h1/# Last refit/dl/Crew:/dd = 5 and Last refit
        "#]],
    );
}

#[test]
fn a_grid_in_an_item_is_a_list_though_few_items_have_two_rows() {
    let page = |number: usize| {
        let item = |item: usize| {
            let word = |n: usize| ["alpha", "beta", "gamma", "delta", "eps"][n % 5].repeat(n / 5 + 1);
            let row = |name: &str| format!("<tr><td>{name}<td>{name} of {}", word(number + item));
            let second = if (number * 5 + item).is_multiple_of(12) {
                row("role")
            } else {
                String::new()
            };
            let rows = format!("{}{second}", row("domain"));
            format!(
                "<div class=item><p>{} {}<h3>Parameters</h3><table><tr><th>Name<th>Text{rows}</table></div>",
                word(number),
                word(item)
            )
        };
        let items: String = (0..5).map(item).collect();
        format!("<h1>Module {number}</h1>{items}")
    };
    check_first(
        &pages(24, page),
        expect![[r#"
            /#h1/heading = Module 0
            /#h1/div.item
              - p=alpha alpha, tr of 2
              - p=alpha beta, tr of 1
              - p=alpha gamma, tr of 1
              - p=alpha delta, tr of 1
              - p=alpha eps, tr of 1
        "#]],
    );
}

#[test]
fn a_word_that_most_headings_begin_with_is_their_kind() {
    let words = ["Alias", "Order", "Allow", "Deny", "Options", "Header"];
    let page = |number: usize, kinds: [&str; 2]| {
        let section = |at: usize| {
            let word = words[(number * 2 + at) % words.len()];
            format!(
                "<h2>{} {word}{number}</h2><p>Syntax: {word} {at}{number}",
                kinds[at % 2]
            )
        };
        let own = format!(
            "<h2>{} matters here</h2><p>Some text about it",
            words[number % words.len()]
        );
        format!(
            "<h1>Module {number}x</h1>{}{}{}{own}",
            section(0),
            section(1),
            section(2)
        )
    };
    check_first(
        &pages(12, |number| page(number, ["Directive", "Directive"])),
        expect![[r#"
            /# Module/heading = 0x
            /# Module/# Directive
              - heading=Alias0, Syntax:=Alias 00
              - heading=Order0, Syntax:=Order 10
              - heading=Allow0, Syntax:=Allow 20
            /# Module/#h2/heading = Alias matters here
        "#]],
    );
    // Half of them are directives.
    check_first(
        &pages(12, |number| page(number, ["Directive", "Event"])),
        expect![[r#"
            /# Module/heading = 0x
            /# Module/# Directive
              - heading=Alias0, Syntax:=Alias 00
              - heading=Allow0, Syntax:=Allow 20
            /# Module/#h2
              - heading=Event Order0, Syntax:=Order 10
              - heading=Alias matters here
        "#]],
    );
}
