//! Clicked links on small pages, and what is followed.

use super::*;
use crate::page::{ParseOptions, Response};

fn check(html: &str, clicked: &[&str], expected: &[&str]) {
    let base: Url = "http://ex.com/".parse().expect("a good address");
    let page = Page::read(&Response::html(base.clone(), html), &ParseOptions::default());
    let clicked: Vec<ClickedLink> = clicked
        .iter()
        .map(|path| base.join(path).expect("a good address").into())
        .collect();
    let best = followings(&page, &clicked).into_iter().next();
    let addresses = best.map(|following| following.addresses).unwrap_or_default();
    let shown: Vec<&str> = addresses.iter().map(Url::path).collect();
    assert_eq!(shown, expected);
}

#[test]
fn one_click_means_the_list_around_it() {
    let page =
        "<ul><li><a href=/about>About</a></ul><div><a href=/by/A>A</a> <a href=/by/B>B</a> <a href=/by/C>C</a></div>";
    check(page, &["/by/B"], &["/by/A", "/by/B", "/by/C"]);
}

#[test]
fn addresses_of_another_shape_are_left_out() {
    let page = "<div><a href=/by/A>A</a><a href=/by/B>B</a><a href=/help/all.html>Help</a></div>";
    check(page, &["/by/A"], &["/by/A", "/by/B"]);
}

#[test]
fn rows_of_a_table_are_one_list() {
    let page =
        "<table><tr><td>1<td><a href=/i/1>x</a><tr><td>2<td><a href=/i/2>y</a><tr><td>3<td><a href=/i/3>z</a></table>";
    check(page, &["/i/2"], &["/i/1", "/i/2", "/i/3"]);
}

#[test]
fn two_clicks_say_what_varies() {
    let page = "<ul><li><a href=/a/1>1</a><a href=/b/1>x</a><li><a href=/a/2>2</a><a href=/b/2>x</a></ul>";
    check(page, &["/a/1", "/a/2"], &["/a/1", "/a/2"]);
    check(page, &["/a/1", "/nowhere"], &[]);
}

#[test]
fn stripes_do_not_halve_a_list() {
    let row = |number: usize| {
        let class = ["odd", "even"][number % 2];
        format!("<div class='row {class}'><a class={class} href=/i/{number}>x</a></div>")
    };
    let rows: String = (0..6).map(row).collect();
    let page = format!("<div class=menu><a href=/about>About</a></div><div class=list>{rows}</div>");
    let all = ["/i/0", "/i/1", "/i/2", "/i/3", "/i/4", "/i/5"];
    check(&page, &["/i/3"], &all);
}

#[test]
fn a_column_is_not_its_neighbour() {
    // All pages are of one folder: only where a link stands tells what it leads to.
    let row = |name: &str| format!("<tr><td><a href={name}-main.html>{name}</a><td><a href={name}-map.html>map</a>");
    let rows: String = ["a", "b", "c", "d"].map(row).concat();
    let page = format!("<p><a href=index.html>Home</a> <a href=help.html>Help</a></p><table>{rows}</table>");
    check(
        &page,
        &["/b-map.html"],
        &["/a-map.html", "/b-map.html", "/c-map.html", "/d-map.html"],
    );
    check(
        &page,
        &["/c-main.html"],
        &["/a-main.html", "/b-main.html", "/c-main.html", "/d-main.html"],
    );
}

#[test]
fn cards_in_a_grid_are_one_list() {
    let card = |name: &str| {
        format!("<td class=c-{name}><div><img src={name}.png></div><div><a href=/x/{name}>{name}</a></div>")
    };
    let rows = [["a", "b-b"], ["c", "d"], ["e-e", "f"]].map(|row| format!("<tr>{}", row.map(card).concat()));
    let page = format!(
        "<p><a href=/>Home</a></p><table>{}<tr>{}<td></table>",
        rows.concat(),
        card("g")
    );
    let all = ["/x/a", "/x/b-b", "/x/c", "/x/d", "/x/e-e", "/x/f", "/x/g"];
    check(&page, &["/x/d"], &all);
}

#[test]
fn the_link_that_was_clicked_is_meant_and_not_the_same_address_elsewhere() {
    let html = "<ul class=top><li><a href=/b>B</a><li><a href=/x>X</a></ul>\
                <ul class=list><li><a href=/a>A</a><li><a href=/b>B</a><li><a href=/c>C</a></ul>";
    let url: Url = "http://ex.com/".parse().expect("a good address");
    let page = Page::read(&Response::html(url.clone(), html), &ParseOptions::default());
    let link = |nth: usize| ClickedLink {
        url: url.join("/b").expect("a good address"),
        node: page
            .dom
            .nodes()
            .filter(|&it| leads_to(&page, it, &url.join("/b").expect("a good address")))
            .nth(nth),
    };
    let first = |nth: usize| followings(&page, &[link(nth)]).remove(0).addresses.len();
    assert_eq!((first(0), first(1)), (2, 3));
}

#[test]
fn links_beside_a_list_that_look_alike_are_told() {
    let html = "<ul class=a><li><a href=/i/1>1</a><li><a href=/i/2>2</a></ul>\
                <ul class=b><li><a href=/i/3>3</a><li><a href=/i/4>4</a><li><a href=/i/5>5</a></ul><p><a href=/help>?</a>";
    let url: Url = "http://ex.com/".parse().expect("a good address");
    let page = Page::read(&Response::html(url.clone(), html), &ParseOptions::default());
    let clicked = ClickedLink::from(url.join("/i/1").expect("a good address"));
    let found = followings(&page, &[clicked]);
    assert_eq!(found[0].addresses.len(), 2);
    let more = more_alike(&found, &found[0]).expect("there are more");
    assert_eq!(more.addresses.len(), 5);
    assert_eq!(more_alike(&found, more), None, "the last link is of another kind");
}

#[test]
fn what_is_followed_is_known_by_its_links_too() {
    let base: Url = "http://ex.com/".parse().expect("a good address");
    let html = "<ul><li><a href=/a>1</a><li><a href=/b>2</a><li><a href=/a>1 again</a></ul>";
    let page = Page::read(&Response::html(base.clone(), html), &ParseOptions::default());
    let clicked = ClickedLink::from(base.join("/b").expect("a good address"));
    let found = followings(&page, &[clicked]);
    assert_eq!((found[0].addresses.len(), found[0].nodes.len()), (2, 3));
    for following in &found {
        assert_eq!(following.addresses, following.rule.addresses(&page));
        let picked = following.rule.values(&page);
        assert_eq!(
            following.nodes,
            picked.iter().map(|picked| picked.place.node).collect::<Vec<_>>()
        );
    }
}
