//! Small pages and what a reader sees on them.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Content, show_content};
use crate::page::{Page, ParseOptions, Response};

fn content_of(html: &str) -> Content {
    let url = "http://team.example/a.html".parse().expect("a good address");
    Content::of(&Page::read(&Response::html(url, html), &ParseOptions::default()))
}

fn check_content(html: &str, expected: Expect) {
    let content = content_of(html);
    expected.assert_eq(&show_content(&content));
    assert_eq!(Content::from_bytes(&content.to_bytes()), Some(content));
}

#[test]
fn inline_mark_up_is_part_of_its_line() {
    check_content(
        "<ul><li>Formula: C<sub>3</sub>H<sub>6</sub>O<li>See <a href=b.html>acetic <i>acid</i></a>.</ul>",
        expect![[r#"
            page
              list
                item
                  Formula: C3H6O
                item
                  See acetic acid. [-> http://team.example/b.html]
        "#]],
    );
}

#[test]
fn ways_around_the_page_are_no_data() {
    check_content(
        "<ul><li>1. <a href=#r>Rules</a><li>2. <a href=a.html#s>Strategy</a></ul>
        <h2 id=r>1. Rules <a href=#r>¶</a></h2><p>One, see <a href=#s>below</a>.
        <h2><a name=x>Strategy</a> <a id=s>2</a></h2><ul><li><a href=#r>Laws</a><li><a href=#x>Plans</a></ul>",
        expect![[r#"
            page
              section 2
                heading: 1. Rules
                One, see below.
              section 2
                heading: Strategy 2
                list
                  item
                    Laws
                  item
                    Plans
        "#]],
    );
}

#[test]
fn an_emphasised_label_ends_the_section_of_an_emphasised_line() {
    check_content(
        "<h1>Chess</h1><p><b>Opening:</b><p>Move: e4<p>Then e5.<p><b>Ending:</b><p>Mate.<p><b>Notes:</b><p>Old.",
        expect![[r#"
            page
              section 1
                heading: Chess
                section 7
                  heading: Opening:
                  Move: e4
                  Then e5.
                pair
                  label: Ending
                  Mate.
                pair
                  label: Notes
                  Old.
        "#]],
    );
}

#[test]
fn headings_hold_what_follows() {
    check_content(
        "<h1>Chess</h1><p>Old.<h3>Rules</h3><p>One.<p>Two.<h3>Strategy</h3><p><b>Opening</b><p>Three.",
        expect![[r#"
            page
              section 1
                heading: Chess
                Old.
                section 3
                  heading: Rules
                  One.
                  Two.
                section 3
                  heading: Strategy
                  section 7
                    heading: Opening
                    Three.
        "#]],
    );
}

#[test]
fn pairs_have_many_spellings() {
    check_content(
        "<dl><dt>Age<dd>23<dt>Clubs<dd>A<dd>B</dl><table><tr><th>Goals<td>4<tr><th>Cards<td>1</table>
        <div><div class=label>Time:</div><div class=value><span>noon</span></div></div><ul><li>Names:<ul><li>a<li>b</ul></ul>",
        expect![[r#"
            page
              group dl
                pair
                  label: Age
                  23
                pair
                  label: Clubs
                  A
                  B
              grid
                pair
                  label: Goals
                  4
                pair
                  label: Cards
                  1
              pair
                label: Time
                noon
              list
                item
                  pair
                    label: Names
                    list
                      item
                        a
                      item
                        b
        "#]],
    );
}

#[test]
fn grids_keep_headers_spans_and_groups() {
    check_content(
        "<table><caption>Squad</caption><tr><th>No<th>Name<tr><td colspan=2>Keepers<tr><td>1<td><a href=ada.html>Ada</a>
        <tr><td rowspan=2>7<td>Bo<tr><td>Cy</table>",
        expect![[r#"
            page
              section 6
                heading: Squad
                grid
                  section 8
                    heading: Keepers
                    row
                      cell No
                        1
                      cell Name
                        Ada [-> http://team.example/ada.html]
                    row
                      cell No
                        7
                      cell Name
                        Bo
                    row
                      cell Name
                        Cy
        "#]],
    );
}

#[test]
fn tables_for_lay_out_are_groups() {
    check_content(
        "<table><tr><td><h2>News</h2><p>All well.<td><img src=logo.png alt=Logo></table>",
        expect![[r#"
            page
              group tr
                section 2
                  heading: News
                  All well.
                picture: Logo [picture http://team.example/logo.png]
        "#]],
    );
}

proptest! {
    #[test]
    fn any_page_has_a_content_that_survives_its_bytes(html in "(<(p|b|h2|table|tr|td|th|li|ul|dl|dt|dd|div|br|img src=x|a href=y)>|[a-c: ]{1,4}|</(b|table|ul|div|a)>){0,60}") {
        let content = content_of(&html);
        prop_assert_eq!(Content::from_bytes(&content.to_bytes()), Some(content));
    }

    #[test]
    fn bytes_that_are_no_content_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Some(content) = Content::from_bytes(&bytes) {
            show_content(&content);
        }
    }
}

#[test]
fn a_table_of_labelled_lines_is_a_sheet_of_facts() {
    check_content(
        "<table><tr><td>Voice: Piano<td>Volume: 90<tr><td>Octave: 4<td>Strum: none</table>",
        expect![[r#"
            page
              group table
                Voice: Piano
                Volume: 90
                Octave: 4
                Strum: none
        "#]],
    );
    // The same label in each row is a column.
    check_content(
        "<table><tr><td>Voice: Piano<td>Volume: 90<tr><td>Voice: Bass<td>Volume: 80</table>",
        expect![[r#"
            page
              grid
                row
                  cell 0
                    Voice: Piano
                  cell 1
                    Volume: 90
                row
                  cell 0
                    Voice: Bass
                  cell 1
                    Volume: 80
        "#]],
    );
}

#[test]
fn a_table_with_one_cell_in_each_row_sets_lines_apart() {
    check_content(
        "<table><tr><td>CYCLE<td><tr><td><td>Whether jobs go round<tr><td><td>Default: no</table>",
        expect![[r#"
            page
              group table
                CYCLE
                Whether jobs go round
                Default: no
        "#]],
    );
    // Cells below each other are a column.
    check_content(
        "<table><tr><td>1<td>Ada<tr><td><td>Bea<tr><td><td>Cid</table>",
        expect![[r#"
            page
              grid
                row
                  cell 0
                    1
                  cell 1
                    Ada
                row
                  cell 1
                    Bea
                row
                  cell 1
                    Cid
        "#]],
    );
}

#[test]
fn a_first_row_that_is_set_apart_heads_the_columns() {
    check_content(
        "<table><tr><td class=h>Name<td class=h>Age<tr><td>Ada<td>36<tr><td>Bea<td>41</table>",
        expect![[r#"
            page
              grid
                row
                  cell Name
                    Ada
                  cell Age
                    36
                row
                  cell Name
                    Bea
                  cell Age
                    41
        "#]],
    );
    check_content(
        "<table><tr><td><b>Name</b><td><b>Age</b><tr><td><b>Ada</b><td>36<tr><td><b>Bea</b><td>41</table>",
        expect![[r#"
            page
              grid
                row
                  cell Name
                    Ada
                  cell Age
                    36
                row
                  cell Name
                    Bea
                  cell Age
                    41
        "#]],
    );
    // Rows that are all set alike are values.
    check_content(
        "<table><tr><td class=a>Ada<td class=b>36<tr><td class=a>Bea<td class=b>41<tr><td class=a>Cid<td class=b>7</table>",
        expect![[r#"
            page
              grid
                row
                  cell 0
                    Ada
                  cell 1
                    36
                row
                  cell 0
                    Bea
                  cell 1
                    41
                row
                  cell 0
                    Cid
                  cell 1
                    7
        "#]],
    );
}

#[test]
fn a_number_in_an_element_of_its_own_is_no_part_of_a_heading() {
    check_content(
        "<h2><span class=number>7.3.</span> <code class=name>between</code>: values</h2><p>One<h2>7.4. Two<h2>2 <span>decks</span>",
        expect![[r#"
            page
              section 2
                heading: between: values [part name]
                One
              section 2
                heading: 7.4. Two
              section 2
                heading: 2 decks
        "#]],
    );
}
