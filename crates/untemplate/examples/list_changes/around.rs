//! Changes that put something beside the list: menus, filters, advertisements, articles.

use crate::tree::{Tree, element, link, says, with};

const WORDS: [&str; 24] = [
    "Lamps",
    "Chairs",
    "Garden tools",
    "Kitchen",
    "Books",
    "Maps",
    "Travel",
    "Music",
    "Winter coats",
    "Boots",
    "Toys",
    "Letters",
    "Paper",
    "Bicycles",
    "Boats",
    "Clocks",
    "Mirrors",
    "Carpets",
    "Pottery",
    "Seeds",
    "Honey",
    "Tea",
    "Spices",
    "Glass",
];

const SENTENCES: [&str; 6] = [
    "The house on the hill was built by a carpenter who came from the coast.",
    "Whoever orders before noon has the parcel on the next day, rain or shine.",
    "Our shop by the old harbour has been open every day since the bridge was finished.",
    "There is more to a good chair than four legs, and few people know it.",
    "Ask us anything about wood, wool and stone; we answer within a day.",
    "The garden is at its best in late spring, when the apple trees are in blossom.",
];

fn word(number: usize) -> &'static str {
    WORDS[number % WORDS.len()]
}

fn sentences(from: usize, n: usize) -> String {
    let chosen: Vec<&str> = (from..from + n)
        .map(|number| SENTENCES[number % SENTENCES.len()])
        .collect();
    chosen.join(" ")
}

fn text(text: impl Into<String>) -> Tree {
    Tree::Text(text.into())
}

fn items(n: usize, from: usize) -> Tree {
    let item = |number: usize| {
        let name = format!("{} {}", word(number), number / WORDS.len() + 1);
        element("li", "", vec![link(&format!("/c/{number}"), vec![text(name)])])
    };
    element("ul", "", (from..from + n).map(item).collect())
}

fn put_first(page: &mut Tree, tree: Tree) -> Option<()> {
    page.body()?.children.insert(0, tree);
    Some(())
}

fn put_last(page: &mut Tree, tree: Tree) -> Option<()> {
    page.body()?.children.push(tree);
    Some(())
}

pub fn hidden_menu(page: &mut Tree) -> Option<()> {
    let menu = element("div", "drawer", vec![items(96, 0)]);
    put_first(page, with(menu, "style", "display: none"))
}

pub fn menu(page: &mut Tree) -> Option<()> {
    put_first(page, element("div", "menu", vec![items(14, 0)]))
}

/// Eight columns of twelve links, each under a heading.
pub fn mega_menu(page: &mut Tree) -> Option<()> {
    let column = |number: usize| {
        element(
            "div",
            "menu-column",
            vec![says("h4", "", word(number)), items(12, 12 * number)],
        )
    };
    put_first(page, element("div", "mega-menu", (0..8).map(column).collect()))
}

/// Six boxes to choose from what is listed, each with five values and how many have it.
fn filter_boxes(is_linked: bool) -> Vec<Tree> {
    let value = |number: usize| {
        let label = word(number);
        let count = format!("({})", number * 7 % 90 + 3);
        match is_linked {
            true => element(
                "li",
                "",
                vec![
                    link(&format!("?f={number}"), vec![text(label)]),
                    text(format!(" {count}")),
                ],
            ),
            false => {
                let mark = with(element("input", "", Vec::new()), "type", "checkbox");
                let label = element("label", "", vec![mark, text(label), says("span", "count", &count)]);
                element("li", "", vec![label])
            }
        }
    };
    let one = |number: usize| {
        let values = element("ul", "", (5 * number..5 * number + 5).map(value).collect());
        element("div", "filter", vec![says("h3", "", word(3 * number + 1)), values])
    };
    (0..6).map(one).collect()
}

pub fn filters(page: &mut Tree) -> Option<()> {
    put_first(page, element("div", "filters", filter_boxes(false)))
}

pub fn link_filters(page: &mut Tree) -> Option<()> {
    put_first(page, element("div", "filters", filter_boxes(true)))
}

/// The filters in a column beside everything else.
pub fn side_filters(page: &mut Tree) -> Option<()> {
    let body = page.body()?;
    let content = element("div", "content", std::mem::take(&mut body.children));
    let side = element("div", "side", filter_boxes(true));
    body.children = vec![element("div", "layout", vec![side, content])];
    Some(())
}

/// Five columns of links, an address and a line of rights.
pub fn footer(page: &mut Tree) -> Option<()> {
    let column = |number: usize| {
        element(
            "div",
            "column",
            vec![says("h5", "", word(5 * number)), items(7, 30 * number)],
        )
    };
    let mut all: Vec<Tree> = (0..5).map(column).collect();
    all.push(says("p", "", "12 Harbour Street, Bloerby. All rights reserved."));
    put_last(page, element("div", "bottom", all))
}

/// A question about cookies, with what they are for.
pub fn banner(page: &mut Tree) -> Option<()> {
    let purpose = |number: usize| {
        let label = element(
            "label",
            "",
            vec![says("b", "", word(2 * number)), text(sentences(number, 2))],
        );
        element("div", "purpose", vec![label])
    };
    let mut all = vec![says("h2", "", "Before you go on"), says("p", "", &sentences(0, 3))];
    all.extend((0..5).map(purpose));
    all.push(says("button", "", "Agree"));
    put_last(page, element("div", "consent", all))
}

/// Five stories, each with a picture, a title and a sentence.
pub fn stories(page: &mut Tree) -> Option<()> {
    let story = |number: usize| {
        let address = format!("/story/{number}");
        let picture = with(element("img", "", Vec::new()), "src", &format!("/s{number}.png"));
        let title = element(
            "h4",
            "",
            vec![link(&address, vec![text(format!("A story of {}", word(number)))])],
        );
        element(
            "div",
            "story",
            vec![
                link(&address, vec![picture]),
                title,
                says("p", "", &sentences(number, 1)),
            ],
        )
    };
    let mut all = vec![says("h3", "", "Read on")];
    all.extend((0..5).map(story));
    put_last(page, element("div", "stories", all))
}

/// A long text about what is listed, under headings, with links in it.
pub fn articles(page: &mut Tree) -> Option<()> {
    let mut all = Vec::new();
    for number in 0..6 {
        all.push(says("h3", "", &format!("All about {}", word(number))));
        for paragraph in 0..2 {
            let inner = link(&format!("/c/{}", number + paragraph), vec![text(word(number + 9))]);
            let parts = vec![
                text(sentences(number + paragraph, 4)),
                inner,
                text(sentences(paragraph, 3)),
            ];
            all.push(element("p", "", parts));
        }
    }
    put_last(page, element("div", "about", all))
}

/// Four large pictures that take turns, each with a title, a sentence and a link.
pub fn slides(page: &mut Tree) -> Option<()> {
    let slide = |number: usize| {
        let picture = with(element("img", "", Vec::new()), "src", &format!("/wide{number}.png"));
        let more = link(&format!("/offer/{number}"), vec![text("See more")]);
        let title = says("h2", "", &format!("New: {}", word(7 * number)));
        element(
            "div",
            "slide",
            vec![picture, title, says("p", "", &sentences(number, 1)), more],
        )
    };
    put_first(page, element("div", "slides", (0..4).map(slide).collect()))
}

/// Eight questions with their answers.
pub fn questions(page: &mut Tree) -> Option<()> {
    let one = |number: usize| {
        let question = format!("Do you send {} abroad?", word(number));
        element(
            "div",
            "question",
            vec![says("h4", "", &question), says("p", "", &sentences(number, 2))],
        )
    };
    put_last(page, element("div", "questions", (0..8).map(one).collect()))
}

/// A column of boxes beside everything else: a search, a list of tags, recent comments, a calendar.
pub fn boxes(page: &mut Tree) -> Option<()> {
    let body = page.body()?;
    let content = element("div", "content", std::mem::take(&mut body.children));
    let tags = (0..20).map(|number| link(&format!("/tag/{number}"), vec![text(word(number + 3))]));
    let comment = |number: usize| {
        let on = link(
            &format!("/post/{number}"),
            vec![text(format!("Notes on {}", word(number)))],
        );
        element(
            "li",
            "",
            vec![text(format!("{} on ", ["Ada", "Bob", "Cleo"][number % 3])), on],
        )
    };
    let day = |number: usize| says("td", "", &(number + 1).to_string());
    let week = |number: usize| element("tr", "", (7 * number..7 * number + 7).map(day).collect());
    let boxes = vec![
        element(
            "div",
            "box",
            vec![says("h3", "", "Tags"), element("div", "tags", tags.collect())],
        ),
        element(
            "div",
            "box",
            vec![
                says("h3", "", "Said last"),
                element("ul", "", (0..6).map(comment).collect()),
            ],
        ),
        element(
            "div",
            "box",
            vec![says("h3", "", "June"), element("table", "", (0..4).map(week).collect())],
        ),
    ];
    body.children = vec![element("div", "layout", vec![content, element("div", "side", boxes)])];
    Some(())
}
