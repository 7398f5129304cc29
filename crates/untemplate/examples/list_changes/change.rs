//! The changes: each makes a page that says the same in other mark-up, or more beside its list.

use crate::around;
use crate::records;
use crate::tree::{Element, Tree};

/// Changes a page; `None` where it does not apply.
pub type Change = fn(&mut Tree) -> Option<()>;

/// All changes, by their names.
pub const CHANGES: [(&str, Change); 38] = [
    ("same", |_| Some(())),
    ("no_classes", no_classes),
    ("hashed_classes", hashed_classes),
    ("utility_classes", utility_classes),
    ("no_links", no_links),
    ("divs", divs),
    ("custom_elements", custom_elements),
    ("ideographs", ideographs),
    ("boxed", |page| records::boxed(page, 1)),
    ("boxed_thrice", |page| records::boxed(page, 3)),
    ("grouped", |page| records::grouped(page, true)),
    ("headings", |page| records::grouped(page, false)),
    ("grid_rows", |page| records::in_rows(page, 3)),
    ("two_columns", |page| records::in_rows(page, 0)),
    ("link_cards", records::link_cards),
    ("advert", |page| records::adverts(page, true)),
    ("advert_other", |page| records::adverts(page, false)),
    ("badges", records::badges),
    ("featured", records::featured),
    ("hidden_details", records::hidden_details),
    ("buttons", records::buttons),
    ("pager", records::pager),
    ("six_records", |page| records::few(page, 6)),
    ("four_records", |page| records::few(page, 4)),
    ("three_records", |page| records::few(page, 3)),
    ("hidden_menu", around::hidden_menu),
    ("menu", around::menu),
    ("mega_menu", around::mega_menu),
    ("filters", around::filters),
    ("side_filters", around::side_filters),
    ("link_filters", around::link_filters),
    ("footer", around::footer),
    ("banner", around::banner),
    ("stories", around::stories),
    ("articles", around::articles),
    ("slides", around::slides),
    ("questions", around::questions),
    ("boxes", around::boxes),
];

fn no_classes(page: &mut Tree) -> Option<()> {
    page.each(&mut |element| element.attributes.retain(|(name, _)| name != "class"));
    Some(())
}

/// Classes as build tools write them.
fn hashed_classes(page: &mut Tree) -> Option<()> {
    page.each(&mut |element| {
        if let Some(value) = element.attribute("class") {
            let words: Vec<String> = value.split_whitespace().map(hashed).collect();
            element.set("class", &words.join(" "));
        }
    });
    Some(())
}

fn hashed(word: &str) -> String {
    let mut hash = word.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    let mut text = String::from("css-");
    for _ in 0..6 {
        let digit = hash % 36;
        hash /= 36;
        text.push(char::from_digit(digit, 36).unwrap_or('0'));
    }
    text
}

/// Classes that say how something looks: the same on whatever looks so.
fn utility_classes(page: &mut Tree) -> Option<()> {
    const LOOKS: [&str; 8] = [
        "flex",
        "flex flex-col",
        "p-4",
        "mt-2 text-sm",
        "text-gray-700",
        "w-full",
        "mx-auto p-2",
        "font-bold",
    ];
    page.each(&mut |element| {
        if let Some(value) = element.attribute("class") {
            let number = value
                .bytes()
                .fold(element.tag.len(), |sum, byte| sum * 31 % 9973 + usize::from(byte));
            element.set("class", LOOKS[number % LOOKS.len()]);
        }
    });
    Some(())
}

fn no_links(page: &mut Tree) -> Option<()> {
    page.each(&mut |element| {
        if element.tag == "a" {
            element.tag = "span".to_owned();
            element.attributes.retain(|(name, _)| name != "href");
        }
    });
    Some(())
}

/// Lists and blocks with a meaning are boxes, as their classes say anyway.
fn divs(page: &mut Tree) -> Option<()> {
    page.each(&mut |element| {
        if [
            "ul", "ol", "li", "dl", "dt", "dd", "article", "section", "h2", "h3", "h4", "p",
        ]
        .contains(&element.tag.as_str())
        {
            element.tag = "div".to_owned();
        }
    });
    Some(())
}

fn custom_elements(page: &mut Tree) -> Option<()> {
    page.each(&mut |element| {
        if ["div", "article", "section"].contains(&element.tag.as_str()) {
            element.tag = format!("x-{}", element.tag);
        }
    });
    Some(())
}

/// Each word is written in one or two ideographs, without spaces.
fn ideographs(page: &mut Tree) -> Option<()> {
    page.each(&mut |element| {
        if ["script", "style", "noscript", "textarea", "option"].contains(&element.tag.as_str()) {
            return;
        }
        each_text(element, &mut |text| {
            let words = text
                .split_whitespace()
                .map(|word| match word.contains(char::is_alphabetic) {
                    true => ideograph_word(word),
                    false => word.to_owned(),
                });
            let words = words.collect::<String>();
            if !words.is_empty() {
                *text = words;
            }
        });
    });
    Some(())
}

fn each_text(element: &mut Element, change: &mut dyn FnMut(&mut String)) {
    for child in &mut element.children {
        if let Tree::Text(text) = child {
            change(text);
        }
    }
}

fn ideograph_word(word: &str) -> String {
    let hash = word
        .bytes()
        .fold(7_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    let sign = |number: u32| char::from_u32(0x4e00 + number % 5000).unwrap_or('\u{4e00}');
    let mut text: String = std::iter::once(sign(hash)).collect();
    if word.len() > 4 {
        text.push(sign(hash / 5000));
    }
    let ending = word.chars().last().filter(|last| !last.is_alphanumeric());
    text.extend(ending.map(|ending| match ending {
        '.' => '。',
        ',' => '，',
        ':' => '：',
        other => other,
    }));
    text
}
