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

#[test]
fn a_table_whose_words_recur_is_data_unless_it_is_links_numbers_or_the_same_everywhere() {
    let words = ["orc", "elf", "troll", "snake", "bat", "rat", "newt", "lich"];
    let page = |number: usize| {
        let row = |at: usize| {
            let share = ["1/2", "1/4", "1/8"][(number + at) % 3];
            format!("<tr><td>{share}<td>{}", words[(number * 3 + at * at) % words.len()])
        };
        let rows: String = (0..4).map(row).collect();
        let day = |at: usize| format!("<tr><td>{}<td>{}", (number + at) % 9 + 1, (number + at) % 9 + 11);
        let days: String = (0..4).map(day).collect();
        let legend = "<tr><td>a<td>altar<td>old<tr><td>b<td>bench<td>new<tr><td>c<td>chest<td>red";
        format!(
            "<h1>Place {number}</h1><table class=foes>{rows}</table><table class=days>{days}</table><table class=signs>{legend}</table>"
        )
    };
    check_first(
        &pages(12, page),
        expect![[r#"
        /#h1/heading = Place 0
        /#h1/table.foes/tr
          - td=1/2, td=orc
          - td=1/4, td=elf
          - td=1/8, td=bat
          - td=1/2, td=elf
    "#]],
    );
}

#[test]
fn sections_with_headings_of_their_own_are_rows_and_part_of_the_text() {
    let words = ["river", "tower", "garden", "harbour", "market"];
    let page = |number: usize| {
        let word = |at: usize| words[(number + at) % words.len()].repeat(number / words.len() + 1);
        let section = |at: usize| {
            let rows = format!("<tr><td>{}<td>{at}<tr><td>{}<td>{number}", word(at), word(at + 1));
            format!(
                "<h2>{} at large</h2><p>One {} is older than all the others.<p>Some say {at}.<p>Others count {at}{number}.<table><tr><th>Name<th>Age{rows}</table>",
                word(at),
                word(at)
            )
        };
        let sections: String = (0..number % 4).map(section).collect();
        format!(
            "<h1>{} {number}</h1><p>Of {} nobody knows the name.<p>The {} has none, it seems.{sections}",
            word(0),
            word(1),
            word(2)
        )
    };
    check_first(
        &pages(12, |number| page(number + 2)),
        expect![[r#"
        /#h1/heading = garden 2
        /#h1/text = Of harbour nobody knows the name. / The market has none, it seems. / garden at large / One garden is older than all the others. / Others count 02. / garden / harbour / harbour at large / One harbour is older than all the others. / Others count 12. / harbour / market
        /#h1/#h2
          - heading=garden at large, text=One garden is older than all the others., p=Others count 02., tr of 2
          - heading=harbour at large, text=One harbour is older than all the others., p=Others count 12., tr of 2
    "#]],
    );
}
