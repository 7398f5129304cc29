//! The picture of a model: one self-contained page for people.
//!
//! In: a [`SiteModel`]. Out: HTML that needs nothing else: the graph of page classes, sized by their estimated pages and joined by class
//! links; the curve of description length against pages visited; and for each class its samples, schema and addresses. Colours follow
//! the reader's choice of light or dark. Everything that came from the site is escaped, and no link of it is followed unasked.

mod curve;
mod graph;

use std::fmt::Write;

pub use self::graph::draw_graph;

use self::curve::draw_curve;
use super::show::strongest_links;
use super::site_model::{PageClass, SiteModel};
use crate::page::escaped_markup;

/// Samples, titles and paths of a class that are shown at once.
const SAMPLES_MAX: usize = 8;
const PATHS_MAX: usize = 40;

/// Draws a model.
pub fn picture(model: &SiteModel) -> String {
    let n_visited: usize = model.classes.iter().map(|class| class.pages.len()).sum();
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Site model of {entry}</title><style>{STYLE}</style></head><body>\
         <header><h1>{entry}</h1><p>{n} page classes from {n_visited} pages visited; {known} addresses known</p></header>\n",
        entry = escaped_markup(&model.entry),
        n = model.classes.len(),
        known = model.n_addresses,
    );
    html.push_str(&draw_graph(model));
    html.push_str(&draw_curve(model));
    html.push_str("<main>\n");
    for (number, class) in model.classes.iter().enumerate() {
        draw_class(model, number, class, &mut html);
    }
    html.push_str("</main>\n<script>");
    html.push_str(SCRIPT);
    html.push_str("</script></body></html>\n");
    html
}

fn draw_class(model: &SiteModel, number: usize, class: &PageClass, html: &mut String) {
    let promise = "a string takes all";
    write!(
        html,
        "<section id=\"c{number}\" class=\"{kind}\"><h2>{name} <small>{kind}</small></h2>\
         <p><b>{estimated}</b> pages, {visited} visited</p><p><code>{pattern}</code></p>",
        kind = class.kind.name(),
        name = escaped_markup(&class.name),
        estimated = class.estimated_pages,
        visited = class.pages.len(),
        pattern = escaped_markup(&class.url_pattern),
    )
    .expect(promise);
    let targets = strongest_links(model, number, usize::MAX);
    if !targets.is_empty() {
        html.push_str("<p>leads to ");
        for (place, (to, count)) in targets.iter().enumerate() {
            let comma = if place > 0 { ", " } else { "" };
            let name = escaped_markup(&model.classes[*to].name);
            write!(html, "{comma}<a href=\"#c{to}\">{name}</a> ({count})").expect(promise);
        }
        html.push_str("</p>");
    }
    html.push_str("<details><summary>sample pages</summary><ul>");
    for (place, page) in class.pages.iter().take(SAMPLES_MAX).enumerate() {
        let title = class.titles.get(place).map(String::as_str).unwrap_or("");
        write!(
            html,
            "<li>{} <code>{}</code></li>",
            escaped_markup(title),
            escaped_markup(page)
        )
        .expect(promise);
    }
    write!(
        html,
        "</ul></details><details><summary>schema: {} paths</summary><ul>",
        class.schema.len()
    )
    .expect(promise);
    for path in class.schema.iter().take(PATHS_MAX) {
        let share = (path.support * 100.0).round();
        write!(html, "<li>{share} % <code>{}</code></li>", escaped_markup(&path.path)).expect(promise);
    }
    html.push_str("</ul></details></section>\n");
}

/// Text cut to a length, with a mark where it was.
fn cut(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

const STYLE: &str = "\
:root{--back:#fbfaf8;--front:#22252b;--soft:#6b7280;--line:#d9d6cf;--card:#fff;--list:#2f6fb0;--detail:#b5651d;--menu:#7a4fa3;--singleton:#6b7280}\
@media(prefers-color-scheme:dark){:root{--back:#16181d;--front:#e6e4df;--soft:#9aa1ad;--line:#343842;--card:#1e2128;--list:#6aa9e6;--detail:#e0a15e;--menu:#b792dd;--singleton:#9aa1ad}}\
*{box-sizing:border-box}body{margin:0 auto;padding:1.5rem;max-width:80rem;background:var(--back);color:var(--front);font:15px/1.5 system-ui,sans-serif}\
h1{font-size:1.3rem;margin:0;overflow-wrap:anywhere}h2{font-size:1.05rem;margin:0 0 .3rem}small{color:var(--soft);font-weight:normal}header p,figcaption{color:var(--soft);margin:.2rem 0 1rem}\
figure{margin:0 0 1.5rem;overflow-x:auto}svg{display:block;max-width:none}svg text{fill:var(--front);font:12px system-ui,sans-serif}svg .soft{fill:var(--soft)}\
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(22rem,1fr));gap:1rem}section{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--singleton);border-radius:6px;padding:.8rem 1rem;min-width:0}\
section.list{border-left-color:var(--list)}section.detail{border-left-color:var(--detail)}section.menu{border-left-color:var(--menu)}section:target{outline:2px solid var(--list)}\
section p{margin:.2rem 0}code{font-size:.8rem;overflow-wrap:anywhere;color:var(--soft)}ul{padding-left:1.1rem;margin:.4rem 0}a{color:var(--list)}summary{cursor:pointer;color:var(--soft)}\
.arc{fill:none;stroke:var(--soft);opacity:.28}.node circle{stroke:var(--card);stroke-width:2}.node.list circle{fill:var(--list)}.node.detail circle{fill:var(--detail)}.node.menu circle{fill:var(--menu)}.node.singleton circle{fill:var(--singleton)}\
.quiet .arc{opacity:.05}.quiet .node{opacity:.3}.quiet .arc.on{opacity:.9;stroke:var(--list)}.quiet .node.on{opacity:1}.curve{fill:none;stroke:var(--list);stroke-width:2}.steps{fill:none;stroke:var(--detail);stroke-width:2}.axis{stroke:var(--line)}";

const SCRIPT: &str = "\
const graph=document.querySelector('svg.graph');const arcs=[...graph.querySelectorAll('.arc')];\
for(const node of graph.querySelectorAll('.node')){node.addEventListener('mouseenter',()=>{const id=node.dataset.class;graph.classList.add('quiet');node.classList.add('on');\
for(const arc of arcs){if(arc.dataset.from===id||arc.dataset.to===id){arc.classList.add('on');for(const end of [arc.dataset.from,arc.dataset.to])graph.querySelector(`.node[data-class=\"${end}\"]`).classList.add('on')}}});\
node.addEventListener('mouseleave',()=>{graph.classList.remove('quiet');for(const on of graph.querySelectorAll('.on'))on.classList.remove('on')})}";

#[cfg(test)]
mod tests {
    use super::super::site_model::tests::small_model;
    use super::*;

    #[test]
    fn what_the_site_says_is_only_text() {
        let mut model = small_model(2);
        model.classes[0].name = "</style><script>alert(1)</script>".to_owned();
        model.classes[1].titles = vec!["<img src=x onerror=alert(1)>".to_owned()];
        model.entry = "http://a.example/?\"onload=\"x".to_owned();
        let html = picture(&model);
        assert!(!html.contains("<script>alert") && !html.contains("<img") && !html.contains("\"onload"));
        assert_eq!(html.matches("<section").count(), 2);
    }

    #[test]
    fn many_classes_do_not_overlap() {
        for n_classes in [1, 5, 60] {
            let html = picture(&small_model(n_classes));
            assert_eq!(html.matches("class=\"node").count(), n_classes);
        }
    }
}
