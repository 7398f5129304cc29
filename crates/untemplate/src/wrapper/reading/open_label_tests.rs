//! Small classes of pages whose labels and headings are values, and lists that look like menus.

use expect_test::expect;

use super::tests::{check_first, pages};

#[test]
fn a_grid_with_headers_is_no_menu_though_its_cells_recur() {
    let page = |number: usize| {
        let rows: String = (0..3)
            .map(|row| {
                format!(
                    "<tr><td>-{}{row}</td><td>boolean</td><td>Off</td><td>No</td></tr>",
                    ["a", "b", "c", "d", "e", "f", "g", "h", "i"][number]
                )
            })
            .collect();
        format!(
            "<h1>Program {number}</h1><table><tr><th>Flag</th><th>Type</th><th>Default</th><th>Needed</th></tr>{rows}</table>"
        )
    };
    check_first(
        &pages(9, page),
        expect![[r#"
        /#h1/heading = Program 0
        /#h1/table/tr
          - td=-a0, td=boolean, td=Off, td=No
          - td=-a1, td=boolean, td=Off, td=No
          - td=-a2, td=boolean, td=Off, td=No
    "#]],
    );
}

#[test]
fn what_heads_the_only_section_of_each_page_is_a_value() {
    let kinds = ["Oak", "Ash", "Elm", "Yew", "Fir"];
    let page = |number: usize| {
        format!(
            "<h1>{}</h1><p>Number {number} stands at the gate number {}.</p>",
            kinds[number % 5],
            number * 7
        )
    };
    check_first(
        &pages(25, page),
        expect![[r#"
        /#/heading = Oak
    "#]],
    );
}

#[test]
fn labels_that_are_values_at_one_place_are_values_at_others() {
    // Registers of devices: of the first half of the pages in one part, of the others in two.
    let page = |number: usize| {
        let pairs: String = (0..4)
            .map(|row| {
                format!(
                    "<tr><th>R{}</th><td>{}</td></tr>",
                    (number * 5 + row * 3) % 23,
                    number * 9 + row
                )
            })
            .collect();
        match number % 6 {
            0 => format!("<h1>Device {number}</h1><div class=few><table>{pairs}</table></div>"),
            _ => format!(
                "<h1>Device {number}</h1><div class=all><table>{pairs}<tr><th>X{number}</th><td>7</td></tr></table></div>"
            ),
        }
    };
    check_first(
        &pages(60, page),
        expect![[r#"
        /#h1/heading = Device 0
        /#h1/div.few/dt
          - label=R0, td=0
          - label=R3, td=1
          - label=R6, td=2
          - label=R9, td=3
    "#]],
    );
}

#[test]
fn kinds_of_things_that_share_labels_are_no_languages() {
    let row = |label: &str, value: usize| format!("<tr><th>{label}</th><td>{value} of 90</td></tr>");
    let page = |number: usize| {
        let common: String = ["Type", "Cost", "Time", "Place"]
            .map(|label| row(label, number))
            .concat();
        let own = match number % 2 {
            0 => ["Armour", "Sight", "Speed"],
            _ => ["Attack", "Range", "Gain"],
        };
        let own: String = own.map(|label| row(label, number + 1)).concat();
        format!("<h1>Unit {number}</h1><table>{common}{own}</table>")
    };
    check_first(
        &pages(40, page),
        expect![[r#"
        /#h1/heading = Unit 0
        /#h1/table/Type:/td = 0 of 90
        /#h1/table/Cost:/td = 0 of 90
        /#h1/table/Time:/td = 0 of 90
        /#h1/table/Place:/td = 0 of 90
        /#h1/table/Armour:/td = 1 of 90
        /#h1/table/Sight:/td = 1 of 90
        /#h1/table/Speed:/td = 1 of 90
    "#]],
    );
}
