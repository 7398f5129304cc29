//! Labels that tell all that stands behind them, what stands aside in running texts, buttons, and
//! the letters of an index.

use expect_test::expect;

use super::tests::{check_first, pages, shown_first};

#[test]
fn labels_that_tell_all_that_stands_behind_them_are_rows() {
    // Each program has flags of its own, and most of those that all programs have.
    let page = |number: usize| {
        let own = format!("<dt>flag{number}<dd>Does number {}", number * 3);
        let shared: String = ["help", "quiet", "force"]
            .iter()
            .enumerate()
            .filter(|(index, _)| !(number + index).is_multiple_of(4))
            .map(|(_, flag)| format!("<dt>{flag}<dd>To be {flag}"))
            .collect();
        format!("<h1>Program {number}</h1><h2>Flags</h2><dl>{own}{shared}</dl><h2>Notes</h2><p>Note {number}")
    };
    check_first(
        &pages(40, page),
        expect![[r#"
        /#h1/heading = Program 0
        /#h1/# Flags/dl/dt
          - label=flag0, dd=Does number 0
          - label=quiet, dd=To be quiet
          - label=force, dd=To be force
        /#h1/# Notes/p = Note 0
    "#]],
    );
}

#[test]
fn a_rare_list_in_a_running_text_is_part_of_it() {
    let page = |number: usize| {
        let name: String = [number % 7, number / 7, number % 5]
            .iter()
            .map(|part| char::from(b'a' + *part as u8))
            .collect();
        let aside = match number % 5 {
            0 => format!(
                "<h3>On {name}</h3><dl><dt>{name} one<dd>First<dt>{name} two<dd>Second<dt>{name} three<dd>Third</dl>"
            ),
            _ => String::new(),
        };
        format!(
            "<h1>Plant {name}</h1><h2>Care</h2><p>Water the {name} in the evening, and never in the heat of the day.
            <p>In winter the {name} stays dry for some weeks, and is brought out of the frost.{aside}
            <h2>Names</h2><ul><li>Plant {name}<li>Weed {name}</ul>"
        )
    };
    let shown = shown_first(&pages(40, page));
    let text = shown
        .lines()
        .find(|line| line.contains("# Care/text = Water the aaa"))
        .unwrap_or_default();
    assert!(text.contains("First") && text.contains("Third"), "{shown}");
    assert!(!shown.contains("label="), "{shown}");
}

#[test]
fn buttons_are_no_data_wherever_they_lead() {
    let page = |number: usize| {
        let button =
            |picture: &str, to: usize| format!("<a href=/p/{to}><img src=/{picture}.gif alt='Plant {to}'></a> ");
        format!(
            "{}{}<h1>Plant {number}</h1><p>Height: {} m",
            button("back", number + 99),
            button("on", number + 1),
            number * 7
        )
    };
    let shown = shown_first(&pages(12, page));
    assert!(shown.contains("Plant 0") && !shown.contains("Plant 99"), "{shown}");
}

#[test]
fn the_letters_of_an_index_are_no_row() {
    let page = |number: usize| {
        let letters: String = ["Ash", "Box", "Cob"]
            .iter()
            .map(|letter| format!("<td><a href=/{number}/{letter}>{letter}</a>"))
            .collect();
        let rows: String = (0..3)
            .map(|row| {
                format!(
                    "<tr><td>Tree {number}-{row}<td>{}<td>{}",
                    row * 5 + number,
                    number * 3 + row
                )
            })
            .collect();
        format!("<h1>Trees {number}</h1><table>{rows}<tr>{letters}</table>")
    };
    let shown = shown_first(&pages(12, page));
    assert!(shown.contains("Tree 0-2") && !shown.contains("Ash"), "{shown}");
}
