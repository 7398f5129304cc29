//! Small pages and what inference makes of them, read back through the matcher.

use expect_test::{Expect, expect};

use super::*;
use crate::page::{Page, ParseOptions, Response};

pub(super) fn page(html: &str) -> Page {
    let url = "http://films.example/".parse().expect("a good address");
    Page::read(&Response::html(url, html), &ParseOptions::default())
}

/// A record on one line: `key=value`, lists in brackets.
pub(super) fn line(record: &Record) -> String {
    let values = record.values.iter().map(|(key, value)| match value {
        Value::Text(text) => format!("{key}={text}"),
        Value::List(rounds) => format!("{key}=[{}]", rounds.iter().map(line).collect::<Vec<_>>().join("; ")),
    });
    values.collect::<Vec<_>>().join(" ")
}

/// Infers from some pages, and reads others.
fn check_extract(training: &[&str], others: &[&str], expected: Expect) {
    let pages: Vec<Page> = training.iter().map(|html| page(html)).collect();
    let matcher = Matcher::new(infer_template(&pages.iter().collect::<Vec<_>>()));
    let read: Vec<String> = others
        .iter()
        .map(|html| {
            let read = matcher.extract(&page(html));
            let problems: String = read.problems.iter().map(|problem| format!("\n  {problem}")).collect();
            format!(
                "{}{}{problems}\n",
                if read.is_matched { "" } else { "NO " },
                line(&read.record)
            )
        })
        .collect();
    expected.assert_eq(&read.concat());
}

fn film(title: &str, rows: &[(&str, &str)]) -> String {
    let rows: String = rows
        .iter()
        .map(|(label, value)| format!("<tr><th>{label}</th><td>{value}</td></tr>"))
        .collect();
    format!("<ul><li><a href=/>Home</a><li><a href=/news>News</a></ul><h1>{title}</h1><table>{rows}</table>")
}

fn films() -> Vec<String> {
    vec![
        film("Alpha", &[("Director:", "Ann"), ("Year:", "1999"), ("Genre:", "Drama")]),
        film("Beta", &[("Director:", "Bob"), ("Genre:", "Comedy")]),
        film("Gamma", &[("Director:", "Cid"), ("Year:", "2003"), ("Genre:", "Drama")]),
        film("Delta", &[("Year:", "2011"), ("Genre:", "War")]),
    ]
}

fn check_films(others: &[&str], expected: Expect) {
    let films = films();
    check_extract(&films.iter().map(String::as_str).collect::<Vec<_>>(), others, expected);
}

#[test]
fn a_missing_row_never_shifts_another() {
    check_films(
        &[
            &film("Omega", &[("Genre:", "Western")]),
            &film("Psi", &[("Budget:", "$ 3"), ("Year:", "1950"), ("Genre:", "Noir")]),
        ],
        expect![[r#"
            h1=Omega genre=Western
            h1=Psi year=1950 genre=Noir
        "#]],
    );
}

#[test]
fn rows_out_of_place_are_found_by_their_label() {
    check_films(
        &["<h1>Chi</h1><div><div><table><tr><th>Director:</th><td>Zoe</td></tr></table></div></div>"],
        expect![[r#"
            h1=Chi director=Zoe
              missing part: /html[1]/body[1] has no table, which every training page had
        "#]],
    );
}

#[test]
fn a_page_of_another_kind_does_not_match() {
    check_films(
        &["<h2>Nothing</h2><form><textarea>x</textarea></form>"],
        expect![[r#"
            NO 
              missing part: /html[1] has no body, which every training page had
        "#]],
    );
}

#[test]
fn lists_are_nested_and_menus_left_out() {
    let team = |name: &str, players: &[(&str, &str)]| {
        let rows: String = players
            .iter()
            .map(|(name, goals)| format!("<li><b>{name}</b> <i>{goals}</i></li>"))
            .collect();
        format!("<ul id=menu><li>Home<li>Teams<li>Cups</ul><h1>{name}</h1><ul class=players>{rows}</ul>")
    };
    let training = [
        team("Reds", &[("Ada", "3"), ("Bea", "1")]),
        team("Blues", &[("Cyd", "0"), ("Dot", "2"), ("Eve", "5")]),
        team("Greens", &[("Fay", "4")]),
    ];
    check_extract(
        &training.iter().map(String::as_str).collect::<Vec<_>>(),
        &[&team("Greys", &[("Gia", "7"), ("Hal", "8")])],
        expect![[r#"
            h1=Greys players_list=[players=Gia players_2=7; players=Hal players_2=8]
        "#]],
    );
}

#[test]
fn texts_are_cut_at_constant_words() {
    let senator =
        |name: &str, party: &str, year: &str| format!("<p>{name} ({party}) <p>Elected in {year}; still there</p>");
    let training = [
        senator("Ann Ash", "D", "1980"),
        senator("Bo Birch", "R", "1992"),
        senator("Cy Cedar", "D", "2001"),
        senator("Di Elm", "I", "1999"),
    ];
    check_extract(
        &training.iter().map(String::as_str).collect::<Vec<_>>(),
        &[&senator("Ed Fir", "R", "2020")],
        expect![[r#"
            text_part=Ed Fir text_part_2=R text=Ed Fir (R) text_2_in=2020 text_2=Elected in 2020; still there
        "#]],
    );
}

#[test]
fn a_link_around_a_text_makes_no_difference() {
    check_extract(
        &[
            "<h1><a href=/1>Ann</a></h1><p>x",
            "<h1>Bob</h1><p>y",
            "<h1>Cid</h1><p>z",
        ],
        &["<h1>Dan</h1><p>q", "<h1><a href=/5>Eve</a></h1><p>r"],
        expect![[r#"
            h1=Dan text=q
            h1=Eve text=r
        "#]],
    );
}

#[test]
fn the_same_pages_give_the_same_template() {
    let films = films();
    let pages: Vec<Page> = films.iter().map(|html| page(html)).collect();
    let shared: Vec<&Page> = pages.iter().collect();
    assert_eq!(infer_template(&shared), infer_template(&shared));
}

#[test]
fn a_skeleton_shows_what_varies() {
    let films = films();
    let pages: Vec<Page> = films.iter().map(|html| page(html)).collect();
    let template = infer_template(&pages.iter().collect::<Vec<_>>());
    expect![[r#"
        html
          body
            h1
              #text -> h1
            table
              tbody
                tr "Director:" ? 3 of 4
                  th "Director:"
                  td "Director:"
                    #text -> director
                tr "Year:" ? 3 of 4
                  th "Year:"
                  td "Year:"
                    #text -> year
                tr "Genre:"
                  th "Genre:"
                  td "Genre:"
                    #text -> genre
    "#]]
    .assert_eq(&show_template(&template));
}

#[test]
fn training_pages_are_chosen_for_their_variety() {
    let plain = "<h1>a</h1>";
    let pages: Vec<Page> = [
        plain,
        plain,
        "<h1>a</h1><table><tr><td>x</table>",
        plain,
        "<h1>a</h1><dl><dt>x</dl>",
    ]
    .iter()
    .map(|html| page(html))
    .collect();
    let chosen = pick_training_pages(&pages.iter().collect::<Vec<_>>(), 3);
    assert!(chosen.contains(&2) && chosen.contains(&4), "{chosen:?}");
}

/// A team, its squad with a position each, and a number that the site puts on every page.
fn team(name: &str, squad: &[(&str, &str)], visitor: u32) -> String {
    let rows: String = squad
        .iter()
        .map(|(player, position)| format!("<tr><td><a href={player}.html>{player}</a></td><td>{position}</td></tr>"))
        .collect();
    format!(
        "<p><a href=/stadiums>Stadiums</a></p><h1>{name}</h1><dl><dt>Stadium</dt><dd>{name} Park</dd></dl><table>{rows}</table><p>Page made for visitor no. {visitor}</p>"
    )
}

#[test]
fn a_column_of_few_values_names_no_rows() {
    let squads = [
        [
            ("Ada", "Forward"),
            ("Bo", "Defender"),
            ("Cy", "Defender"),
            ("Di", "Keeper"),
        ],
        [
            ("Ed", "Forward"),
            ("Flo", "Forward"),
            ("Gil", "Defender"),
            ("Hal", "Keeper"),
        ],
        [
            ("Ida", "Defender"),
            ("Jo", "Defender"),
            ("Kit", "Forward"),
            ("Lou", "Keeper"),
        ],
        [
            ("Mo", "Keeper"),
            ("Ned", "Forward"),
            ("Ola", "Forward"),
            ("Pia", "Defender"),
        ],
    ];
    let teams: Vec<String> = ["Alpha", "Beta", "Gamma", "Delta"]
        .iter()
        .zip(&squads)
        .zip([4711, 815, 99, 1234])
        .map(|((name, squad), visitor)| team(name, squad, visitor))
        .collect();
    check_extract(
        &teams.iter().map(String::as_str).collect::<Vec<_>>(),
        &[&team("Omega", &[("Quin", "Keeper"), ("Rae", "Keeper")], 5)],
        expect![[r#"
            stadiums=Omega page_made_for_visitor_no_no=5 page_made_for_visitor_no=Page made for visitor no. 5 stadiums_2=Omega Park stadiums_list=[td_href=Quin.html td=Keeper text=Quin; td_href=Rae.html td=Keeper text=Rae]
        "#]],
    );
}

#[test]
fn a_sentence_with_a_colon_that_two_pages_begin_with_is_no_label() {
    let story = |first: &str, second: &str| format!("<h1>{second}</h1><div><p>{first}</p><p>{second}</p></div>");
    let stories = [
        story("Reds 2, Blues 1: that was it.", "One"),
        story("Reds 2, Blues 1: what a night.", "Two"),
        story("Rain fell.", "Three"),
        story("Nobody came.", "Four"),
        story("The sun shone.", "Five"),
        story("It was late.", "Six"),
        story("It was early.", "Seven"),
        story("It was noon.", "Eight"),
        story("It was dark.", "Nine"),
    ];
    check_extract(
        &stories.iter().map(String::as_str).collect::<Vec<_>>(),
        &[&stories[0], &stories[2]],
        expect![[r#"
            h1=One text=Reds 2, Blues 1: that was it.
            h1=Three text=Rain fell.
        "#]],
    );
}

#[test]
fn a_title_that_begins_as_one_of_another_page_is_no_label() {
    let html = |page: usize| {
        let title = |n: usize| match (page, n) {
            (1 | 2, 3) => format!("<dd><a href='/{page}/{n}'>Bay area: job {page}</a>"),
            _ => format!("<dd><a href='/{page}/{n}'>Job {n} of {page}</a>"),
        };
        let titles: String = (0..5 + page % 2).map(title).collect();
        format!("<h1>Jobs {page}</h1><dl>{titles}</dl>")
    };
    let pages: Vec<String> = (0..6).map(html).collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    check_extract(
        &pages,
        &pages[1..2],
        expect![[r#"
        h1_jobs=1 h1=Jobs 1 body_list=[dd_href=/1/0 text=Job 0 of 1; dd_href=/1/1 text=Job 1 of 1; dd_href=/1/2 text=Job 2 of 1; dd_href=/1/3 text=Bay area: job 1; dd_href=/1/4 text=Job 4 of 1; dd_href=/1/5 text=Job 5 of 1]
    "#]],
    );
}
