//! Clicked links on small pages, and what is followed.

use super::*;
use crate::page::{ParseOptions, Response};

fn check(html: &str, clicked: &[&str], expected: &[&str]) {
    let base: Url = "http://ex.com/".parse().expect("a good address");
    let page = Page::read(&Response::html(base.clone(), html), &ParseOptions::default());
    let clicked: Vec<Url> = clicked
        .iter()
        .map(|path| base.join(path).expect("a good address"))
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
