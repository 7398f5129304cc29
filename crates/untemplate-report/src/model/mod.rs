//! The picture of a model: one self-contained page for people.
//!
//! In: a [`SiteModel`]. Out: the graph of page classes, sized by their estimated pages and joined
//! by class links; the curve of description length against pages visited; and for each class its
//! samples, schema and addresses.

mod curve;
mod graph;

use maud::{Markup, PreEscaped, html};
use untemplate::site::model::{PageClass, SiteModel, strongest_links};

use self::curve::growth_curve;
use crate::document::scripted_document;

pub use self::graph::class_graph;

/// Samples and paths of a class that are shown.
const SAMPLES_MAX: usize = 8;
const PATHS_MAX: usize = 40;

/// Draws a model, as a page.
pub fn model_page(model: &SiteModel) -> String {
    let n_visited: usize = model.classes.iter().map(|class| class.pages.len()).sum();
    let body = html! {
        header {
            h1 { (model.entry) }
            p { (model.classes.len()) " page classes from " (n_visited) " pages visited; " (model.n_addresses) " addresses known" }
        }
        (class_graph(model))
        (growth_curve(model))
        main { @for (number, class) in model.classes.iter().enumerate() { (class_section(model, number, class)) } }
        script { (PreEscaped(SCRIPT)) }
    };
    scripted_document(&format!("Site model of {}", model.entry), STYLE, body)
}

fn class_section(model: &SiteModel, number: usize, class: &PageClass) -> Markup {
    html! {
        section.(class.kind.name()) #{ "c" (number) } {
            h2 { (class.name) " " small { (class.kind.name()) } }
            p { b { (class.estimated_pages) } " pages, " (class.pages.len()) " visited" }
            p { code { (class.url_pattern) } }
            (class_targets(model, number))
            details {
                summary { "sample pages" }
                ul { @for (place, page) in class.pages.iter().take(SAMPLES_MAX).enumerate() {
                    li { (class.titles.get(place).map_or("", String::as_str)) " " code { (page) } }
                } }
            }
            details {
                summary { "schema: " (class.schema.len()) " paths" }
                ul { @for path in class.schema.iter().take(PATHS_MAX) {
                    li { (format!("{:.0} %", path.support * 100.0)) " " code { (path.path) } }
                } }
            }
        }
    }
}

/// The classes that a class leads to, as links to `#c` and their numbers; nothing where there are
/// none.
pub fn class_targets(model: &SiteModel, number: usize) -> Markup {
    let targets = strongest_links(model, number, usize::MAX);
    html! {
        @if !targets.is_empty() {
            p { "Leads to " @for (place, (to, count)) in targets.iter().enumerate() {
                @if place > 0 { ", " }
                a href={ "#c" (to) } { (model.classes[*to].name) } " (" (count) ")"
            } }
        }
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
    use super::*;
    use untemplate::page::AttributeMode;
    use untemplate::site::model::{
        AddressTree, ClassKind, ClassLink, CurvePoint, ModelAlgorithm, ModelTuning, SchemaMode, SchemaPath, ShapeBook,
    };

    /// A model of `n_classes` classes, each leading to the next.
    fn small_model(n_classes: usize) -> SiteModel {
        let class = |number: usize| PageClass {
            name: format!("class {number}"),
            kind: ClassKind::Detail,
            pages: vec![format!("http://a.example/{number}")],
            titles: vec![format!("Page {number}")],
            schema: vec![SchemaPath {
                path: "html/body/a".to_owned(),
                support: 1.0,
            }],
            url_pattern: format!("http://a.example/{number}"),
            estimated_pages: number + 1,
            likeness: 0.9,
        };
        let link = |number: usize| ClassLink {
            from: number,
            to: number + 1,
            path: "html/body/a".to_owned(),
            count: number + 1,
        };
        SiteModel {
            entry: "http://a.example/0".to_owned(),
            algorithm: ModelAlgorithm::Fingerprints,
            attributes: AttributeMode::Normalised,
            schema_mode: SchemaMode::Optimal,
            classes: (0..n_classes).map(class).collect(),
            links: (1..n_classes).map(|number| link(number - 1)).collect(),
            signs: Default::default(),
            tuning: ModelTuning::default(),
            scripts: AddressTree::default(),
            shapes: ShapeBook::default(),
            shape_outcomes: Vec::new(),
            curve: vec![CurvePoint {
                n_pages: n_classes,
                n_classes,
                description: 2.0,
            }],
            n_addresses: n_classes,
        }
    }

    #[test]
    fn what_the_site_says_is_only_text() {
        let mut model = small_model(2);
        model.classes[0].name = "</style><script>alert(1)</script>".to_owned();
        model.classes[1].titles = vec!["<img src=x onerror=alert(1)>".to_owned()];
        model.entry = "http://a.example/?\"onload=\"x".to_owned();
        let html = model_page(&model);
        assert!(!html.contains("<script>alert") && !html.contains("<img") && !html.contains("\"onload"));
        assert_eq!(html.matches("<section").count(), 2);
    }

    #[test]
    fn the_graph_begins_at_the_entry_also_when_it_redirects() {
        let mut model = small_model(3);
        // The largest class has the number 0, and the front page is the last.
        model.classes[0].pages = vec!["http://a.example/en/items/7.html".to_owned()];
        model.classes[2].pages = vec!["http://a.example/en/".to_owned()];
        model.entry = "http://a.example/".to_owned();
        model.links = vec![ClassLink {
            from: 2,
            to: 0,
            path: "html/body/a".to_owned(),
            count: 1,
        }];
        let html = model_page(&model);
        let place_of = |class: &str| {
            let node = html
                .split("class=\"node")
                .find(|node| node.contains(&format!("<title>{class}:")));
            let place = node.and_then(|node| node.split("cx=\"").nth(1)?.split('"').next()?.parse().ok());
            place.unwrap_or_else(|| panic!("{class} has a place"))
        };
        let (front, items): (f64, f64) = (place_of("class 2"), place_of("class 0"));
        assert!(front < items, "the front page stands before what it leads to");
    }

    #[test]
    fn many_classes_do_not_overlap() {
        for n_classes in [1, 5, 60] {
            let html = model_page(&small_model(n_classes));
            assert_eq!(html.matches("class=\"node").count(), n_classes);
        }
    }
}
