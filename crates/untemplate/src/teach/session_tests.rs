//! Teaching on small pages: what is learnt, what is asked, and that nothing doubtful is said.

use std::sync::Arc;

use super::*;
use crate::page::{NodeId, Page, ParseOptions, Response};
use crate::rule::{ExtractionRule, Selected, select};

fn sample(pages: &[&str]) -> Vec<SamplePage> {
    let read = |(index, html): (usize, &&str)| {
        let url = format!("http://shop.example/{index}").parse().expect("a good address");
        let page = Page::read(&Response::html(url, *html), &ParseOptions::default());
        SamplePage::new(index.to_string(), Arc::new(page))
    };
    pages.iter().enumerate().map(read).collect()
}

fn example(field: &str, page: usize, value: &str) -> Example {
    let (field, value) = (field.to_owned(), value.into());
    Example { field, page, value }
}

/// Teaches the field "price" on the first page, answers questions from `truth`, and returns the
/// session.
fn taught(pages: &[&str], examples: &[&str], truth: &[&[&str]]) -> Session {
    let mut session = Session::new(sample(pages), SessionOptions::default());
    let examples: Vec<Example> = examples.iter().map(|value| example("price", 0, value)).collect();
    session.show(&examples);
    while let Some(question) = session.question() {
        let answer: Vec<ShownValue> = truth[question.page].iter().map(|&value| value.into()).collect();
        session.answer(&question, &answer);
    }
    session
}

fn check_read(session: &Session, html: &str, expected: &[&str]) {
    let fields = session.fields();
    let page = &sample(&[html])[0];
    let values = fields[0].read(&page.page, page.texts()).values;
    let texts: Vec<&str> = values.iter().map(|picked| picked.text.as_str()).collect();
    assert_eq!(texts, expected, "{html}");
}

const ROWS: [&str; 4] = [
    "<table><tr><td>Name:<td>Anvil<tr><td>Price:<td>$ 9<tr><td>Stock:<td>4</table>",
    "<table><tr><td>Name:<td>Birdseed<tr><td>Weight:<td>2 kg<tr><td>Price:<td>$ 3<tr><td>Stock:<td>7</table>",
    "<table><tr><td>Name:<td>Cannon<tr><td>Price:<td>$ 99<tr><td>Stock:<td>0</table>",
    "<table><tr><td>Name:<td>Dynamite<tr><td>Weight:<td>1 kg<tr><td>Stock:<td>2</table>",
];

#[test]
fn a_row_is_told_by_its_label_and_its_absence_is_noticed() {
    let session = taught(&ROWS, &["$ 9"], &[&["$ 9"], &["$ 3"], &["$ 99"], &[]]);
    check_read(&session, ROWS[1], &["$ 3"]);
    check_read(&session, ROWS[3], &[]);
    let other = "<table><tr><td>Name:<td>Egg<tr><td>Colour:<td>Red<tr><td>Size:<td>S<tr><td>Price:<td>$ 5<tr><td>Stock:<td>1</table>";
    check_read(&session, other, &["$ 5"]);
}

#[test]
fn questions_are_bounded_and_each_field_is_asked_about_once_at_least() {
    let session = taught(&ROWS, &["$ 9"], &[&["$ 9"], &["$ 3"], &["$ 99"], &[]]);
    assert!((1..=3).contains(&session.n_questions()), "{}", session.n_questions());
    let alike = ["<h1>Anvil</h1>", "<h1>Birdseed</h1>", "<h1>Cannon</h1>"];
    let session = taught(&alike, &["Anvil"], &[&["Anvil"], &["Birdseed"], &["Cannon"]]);
    assert_eq!(
        session.n_questions(),
        1,
        "nothing is in doubt, and that is verified once"
    );
    check_read(&session, "<h1>Dynamite</h1>", &["Dynamite"]);
}

#[test]
fn a_second_example_takes_the_place_of_a_question() {
    let alike = ["<h1>Anvil</h1>", "<h1>Birdseed</h1>", "<h1>Cannon</h1>"];
    let mut session = Session::new(sample(&alike), SessionOptions::default());
    session.show(&[example("price", 0, "Anvil")]);
    assert!(session.question().is_some());
    session.show(&[example("price", 2, "Cannon")]);
    assert_eq!(session.question(), None);
    check_read(&session, "<h1>Dynamite</h1>", &["Dynamite"]);
}

#[test]
fn a_value_that_its_page_does_not_say_favours_no_silent_rule() {
    let page = |tags: &str, price: &str| format!("<ul>{tags}</ul><table><tr><th>Price<td>{price}</table>");
    let pages = [
        page("<li>New", "$ 9"),
        page("<li>Old", "$ 3"),
        page("<li>New", "$ 5"),
        page("<li>Old", "$ 7"),
    ];
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let mut session = Session::new(sample(&pages), SessionOptions::default());
    session.show(&[example("price", 0, "$ 9"), example("price", 1, "three")]);
    session.show(&[example("price", 3, "seven"), example("price", 2, "$ 5")]);
    check_read(&session, pages[1], &["$ 3"]);
    assert_eq!(session.doubtful(), [("price", 1)], "that is said");
}

#[test]
fn values_at_several_places_are_all_read() {
    let pages = [
        "<div class=street>1 Elm St</div><div class=city>Ham</div>",
        "<div class=street>2 Oak St</div><div class=city>Spam</div>",
        "<div class=street>3 Ash St</div><div class=city>Jam</div>",
    ];
    let truth: [&[&str]; 3] = [&["1 Elm St", "Ham"], &["2 Oak St", "Spam"], &["3 Ash St", "Jam"]];
    let session = taught(&pages, &["1 Elm St", "Ham"], &truth);
    check_read(
        &session,
        "<div class=street>4 Yew St</div><div class=city>Lamb</div>",
        &["4 Yew St", "Lamb"],
    );
}

#[test]
fn a_second_value_that_few_pages_have_is_read_when_two_pages_show_it() {
    let page = |genres: &[&str]| {
        let items: String = genres.iter().map(|genre| format!("<li>{genre}</li>")).collect();
        format!("<h1>Film</h1><ul class=genres>{items}</ul>")
    };
    let pages = [
        page(&["War", "Epic"]),
        page(&["Noir"]),
        page(&["Drama"]),
        page(&["Farce"]),
        page(&["Drama", "Farce"]),
    ];
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let mut session = Session::new(sample(&pages), SessionOptions::default());
    let shown = [
        (0, "War"),
        (0, "Epic"),
        (1, "Noir"),
        (2, "Drama"),
        (3, "Farce"),
        (4, "Drama"),
        (4, "Farce"),
    ];
    session.show(&shown.map(|(page, value)| example("genre", page, value)));
    check_read(&session, &page(&["Noir", "Western"]), &["Noir", "Western"]);
    check_read(&session, &page(&["Noir"]), &["Noir"]);
}

#[test]
fn a_value_is_cut_out_of_its_text_or_left_out() {
    let pages = [
        "<ul><li>Maker: Acme<li>Price: $ 9 (net)</ul>",
        "<ul><li>Price: $ 3 (net)<li>Maker: Acme</ul>",
        "<ul><li>Maker: Other<li>Size: L<li>Price: $ 5 (net)</ul>",
    ];
    let session = taught(&pages, &["$ 9"], &[&["$ 9"], &["$ 3"], &["$ 5"]]);
    check_read(
        &session,
        "<ul><li>Size: M<li>Price: $ 12 (net)<li>Maker: X</ul>",
        &["$ 12"],
    );
    check_read(&session, "<ul><li>Size: M<li>Maker: X</ul>", &[]);
}

#[test]
fn what_stands_nowhere_is_not_learnt_and_said_so() {
    let session = taught(&["<p>Anvil", "<p>Birdseed"], &["Cannon"], &[&["Cannon"], &[]]);
    assert!(session.fields().is_empty());
    assert_eq!(session.unlearnt(), ["price"]);
}

#[test]
fn rules_that_disagree_say_nothing_and_why() {
    let rule = |path: &str| TaughtRule {
        rule: ExtractionRule::absolute(path).expect("a good path"),
        weight: 1.0,
    };
    let rules = vec![rule("//b[1]/text()"), rule("//i[1]/text()")];
    let field = TaughtField {
        name: "price".to_owned(),
        is_optional: false,
        share: None,
        slots: vec![Slot { rules }],
        clean_up: CleanUp::default(),
    };
    let check = |html: &str, expected: &[&str], problem: Option<&str>| {
        let page = &sample(&[html])[0];
        let reading = field.read(&page.page, page.texts());
        let texts: Vec<&str> = reading.values.iter().map(|picked| picked.text.as_str()).collect();
        assert_eq!(texts, expected);
        assert_eq!(reading.problem.map(|problem| problem.kind), problem);
    };
    check("<b>9</b><i>9</i>", &["9"], None);
    check("<b>9</b><i>3</i>", &[], Some("in-doubt"));
    check("<b>9</b>", &["9"], None);
    check("<p>", &[], Some("missing"));
}

#[test]
fn a_doubt_about_one_of_several_places_is_told_as_such() {
    let rule = |path: &str| TaughtRule {
        rule: ExtractionRule::absolute(path).expect("a good path"),
        weight: 1.0,
    };
    let slots = [vec!["//b[1]/text()"], vec!["//i[1]/text()", "//u[1]/text()"]];
    let slots = slots.map(|paths| Slot {
        rules: paths.into_iter().map(rule).collect(),
    });
    let field = TaughtField {
        name: "address".to_owned(),
        is_optional: true,
        share: None,
        slots: slots.to_vec(),
        clean_up: CleanUp::default(),
    };
    let check = |html: &str, expected: &[&str], problem: &str| {
        let page = &sample(&[html])[0];
        let reading = field.read(&page.page, page.texts());
        let texts: Vec<&str> = reading.values.iter().map(|picked| picked.text.as_str()).collect();
        assert_eq!(texts, expected);
        let told = reading.problem.map(|problem| problem.to_string()).unwrap_or_default();
        assert!(
            told.contains(problem) && told.is_empty() == problem.is_empty(),
            "{told}"
        );
    };
    check("<b>1</b><i>2</i><u>2</u>", &["1", "2"], "");
    check("<b>1</b><i>2</i><u>3</u>", &["1"], "in part");
    check("<i>2</i><u>3</u>", &[], "left empty");
}

#[test]
fn a_field_whose_every_rule_contradicts_an_answer_is_doubtful() {
    let pages = ["<h1>Anvil</h1>", "<h1>Birdseed</h1>", "<h1>Cannon</h1>"];
    let session = taught(&pages, &["Anvil"], &[&["Anvil"], &["Birdseed"], &["Cannon"]]);
    assert_eq!(session.doubtful(), []);
    let absent: [&[&str]; 3] = [&["Anvil"], &[], &[]];
    let session = taught(&pages, &["Anvil"], &absent);
    let doubtful = session.doubtful();
    assert!(matches!(doubtful[..], [("price", 1 | 2)]), "{doubtful:?}");
}

#[test]
fn questions_that_nobody_answers_count() {
    let mut session = Session::new(sample(&ROWS), SessionOptions::default());
    session.show(&[example("price", 0, "$ 9")]);
    let question = session.question().expect("one question at least");
    session.skip(&question);
    assert_eq!((session.n_questions(), session.question()), (1, None));
}

#[test]
fn an_assertion_accepts_the_class_and_rejects_another_template() {
    let session = taught(&ROWS, &["$ 9"], &[&["$ 9"], &["$ 3"], &["$ 99"], &[]]);
    let assertion = assertion_of(session.sample(), &[], &session.fields());
    assert!(!assertion.paths.is_empty());
    for page in session.sample() {
        assert!(assertion.holds(&page.page), "{}", page.name);
    }
    let other = &sample(&["<h1>News</h1><p>Name your price!"])[0];
    assert!(!assertion.holds(&other.page));
}

#[test]
fn a_year_that_all_pages_of_the_sample_have_is_asked_of_no_other_page() {
    let page = |name: &str, years: &str| format!("<h1>{name}</h1><dl><dt>Club<dd>{name} FC</dl><h2>Career</h2>{years}");
    let years = "<h3>2030</h3><p>9<h3>2029</h3><p>10";
    let pages = [
        page("Ann", years),
        page("Bob", years),
        page("Cid", years),
        page("Dan", ""),
    ];
    let pages = sample(&pages.each_ref().map(String::as_str));
    let assertion = assertion_of(&pages[..3], &[], &[]);
    expect_test::expect!["/descendant::dt[.='Club'], /descendant::h2[.='Career']"]
        .assert_eq(&assertion.told().join(", "));
    assert!(assertion.holds(&pages[3].page));
}

#[test]
fn the_same_lesson_gives_the_same_fields() {
    let lesson = || taught(&ROWS, &["$ 9"], &[&["$ 9"], &["$ 3"], &["$ 99"], &[]]).fields();
    assert_eq!(lesson(), lesson());
}

/// Whether pages that are wanted are told from others, and the assertion that does.
fn check_telling(wanted: &[&str], unwanted: &[&str], expected: expect_test::Expect) {
    let (wanted, mut unwanted) = (sample(wanted), sample(unwanted));
    for page in &mut unwanted {
        let url = page.page.url.join("/service/x").expect("a good address");
        let moved = Page {
            url,
            ..(*page.page).clone()
        };
        *page = SamplePage::new("unwanted", Arc::new(moved));
    }
    let assertion = telling_assertion(&wanted, &unwanted, &[], &[]);
    if let Some(assertion) = &assertion {
        assert!(wanted.iter().all(|page| assertion.holds(&page.page)));
        assert!(!unwanted.iter().any(|page| assertion.holds(&page.page)));
    }
    expected.assert_eq(&assertion.map_or("nothing tells".to_owned(), |assertion| assertion.told().join(", ")));
}

#[test]
fn what_one_template_makes_is_told_apart_by_labels_places_absence_or_addresses() {
    use expect_test::expect;
    let person = |crumb: &str, rows: &str, name: &str| {
        format!(
            "<div class=menu><a>Players</a><a>Coaches</a></div><div class=crumbs><a>{crumb}</a></div><h1>{name}</h1><dl><dt>Club</dt><dd>{name} FC</dd>{rows}</dl>"
        )
    };
    let check = |players: [(&str, &str); 2], coaches: [(&str, &str); 2], expected| {
        let html = |kind: [(&str, &str); 2], names: [&str; 2]| -> Vec<String> {
            kind.iter()
                .zip(names)
                .map(|(&(crumb, rows), name)| person(crumb, rows, name))
                .collect()
        };
        let (players, coaches) = (html(players, ["Ann", "Bob"]), html(coaches, ["Cid", "Dan"]));
        let texts = |pages: &[String]| {
            pages
                .iter()
                .map(|page| page.clone().leak() as &str)
                .collect::<Vec<&str>>()
        };
        check_telling(&texts(&players), &texts(&coaches), expected);
    };
    let (foot, badge) = ("<dt>Foot</dt><dd>left</dd>", "<dt>Badge</dt><dd>A</dd>");
    check(
        [("x", foot), ("x", foot)],
        [("x", ""), ("x", "")],
        expect!["/descendant::dt[.='Foot'], /descendant::dd[.='left']"],
    );
    check(
        [("Players", ""), ("Players", "")],
        [("Coaches", ""), ("Coaches", "")],
        expect!["/descendant::div[@class='crumbs']/descendant::a[.='Players']"],
    );
    check(
        [("x", ""), ("x", "")],
        [("x", badge), ("x", badge)],
        expect![
            "/descendant::a[.='Players'], /descendant::a[.='Coaches'], /descendant::dt[.='Club'], not /descendant::dt[.='Badge']"
        ],
    );
    check(
        [("x", ""), ("x", "")],
        [("x", ""), ("x", "")],
        expect![[
            r#"/descendant::a[.='Players'], /descendant::a[.='Coaches'], /descendant::dt[.='Club'], address ^http://shop\.example/\d+$"#
        ]],
    );
}

#[test]
fn a_page_that_is_not_wanted_teaches_nothing() {
    let pages = [
        ROWS[0],
        ROWS[1],
        ROWS[2],
        "<table><tr><td>Title:<td>Us<tr><td>Price:<td>free</table>",
    ];
    let mut session = Session::new(sample(&pages), SessionOptions::default());
    session.show(&[example("price", 0, "$ 9")]);
    let question = Question {
        field: "price".to_owned(),
        page: 3,
        choices: Vec::new(),
        places: Vec::new(),
    };
    session.reject(&question);
    let (wanted, unwanted) = session.wanted();
    assert_eq!((wanted.len(), unwanted.len()), (3, 1));
    while let Some(question) = session.question() {
        assert_ne!(question.page, 3, "it is not asked about again");
        let truth = ["$ 9", "$ 3", "$ 99"][question.page].into();
        session.answer(&question, &[truth]);
    }
    assert!(!session.fields()[0].is_optional);
}

/// A player: the age is one number among those of a career, some of which are the same.
fn player(age: u32, career: [u32; 3]) -> String {
    let [games, goals, cards] = career;
    format!(
        "<h1>Name</h1><table><tr><th>Games<th>Goals<th>Cards<tr><td>{games}<td>{goals}<td>{cards}</table>\
         <ul><li>Foot: left<li>Age: <b>{age}</b></ul>"
    )
}

/// The session after a click on a number of the first player, and the answers in words of somebody
/// who looks at what is marked.
fn pointed(pages: &[String], path: &str) -> Session {
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let mut session = Session::new(sample(&pages), SessionOptions::default());
    let dom = &session.sample()[0].page.dom;
    let clicked = select(&path.parse().expect("a good path"), dom, NodeId::DOCUMENT)[0];
    let tag = dom.name_text(clicked.node).to_owned();
    let value = ShownValue::at(dom, clicked, "23");
    let (field, page) = ("number".to_owned(), 0);
    session.show(&[Example { field, page, value }]);
    while let Some(question) = session.question() {
        let dom = &session.sample()[question.page].page.dom;
        for places in &question.places {
            let is_meant = |place: &Selected| dom.ancestors(place.node).any(|it| dom.name_text(it) == tag);
            assert!(places.iter().all(is_meant), "only what was clicked is asked about");
        }
        let values: Vec<ShownValue> = question.choices[0].iter().map(|text| text.as_str().into()).collect();
        session.answer(&question, &values);
    }
    session
}

#[test]
fn what_is_pointed_at_is_learnt_and_not_the_same_text_elsewhere() {
    // On every page of the sample the games are as many as the years: in words, one is the other.
    let pages = [
        player(23, [23, 4, 1]),
        player(31, [31, 23, 2]),
        player(27, [27, 0, 27]),
        player(19, [19, 2, 0]),
    ];
    let other = player(22, [140, 9, 5]);
    check_read(&pointed(&pages, "//li[2]/b"), &other, &["22"]);
    check_read(&pointed(&pages, "//tr[2]/td[1]"), &other, &["140"]);
}

#[test]
fn a_part_of_a_text_is_meant_by_its_place_in_it() {
    let page = |left: u32, right: u32| format!("<p>{left} : {right}</p>");
    let pages = [page(3, 3), page(1, 3), page(4, 3)];
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let mut session = Session::new(sample(&pages), SessionOptions::default());
    let dom = &session.sample()[0].page.dom;
    let node = dom.nodes().find(|&it| dom.is_text(it)).expect("it has a text");
    let spot = Spot::of(dom, Selected { node, attribute: None }, Some(0));
    let value = ShownValue {
        text: "3".to_owned(),
        spot,
    };
    let (field, page) = ("home".to_owned(), 0);
    session.show(&[Example { field, page, value }]);
    let rules = &session.fields()[0].slots[0].rules;
    assert_eq!(&*rules[0].rule.trim.suffix, ": 3");
    check_read(&session, pages[2], &["4"]);
}

#[test]
fn a_spot_that_a_page_has_no_more_counts_as_words() {
    let spot = Some(Spot {
        path: "/html[1]/body[1]/p[7]".parse().expect("a good path"),
        offset: None,
    });
    let mut session = Session::new(sample(&ROWS), SessionOptions::default());
    let value = ShownValue {
        text: "$ 9".to_owned(),
        spot,
    };
    let (field, page) = ("price".to_owned(), 0);
    session.show(&[Example { field, page, value }]);
    check_read(&session, ROWS[2], &["$ 99"]);
}
