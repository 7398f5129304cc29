//! Specification files: what is read, what is refused and why, round trips, and arbitrary bytes.

use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use proptest::prelude::*;
use untemplate::page::Method;
use untemplate::rule::{Assertion, ExtractionRule, LocationPath, Locator, Trim, UrlRegex};
use untemplate::teach::{
    FieldChoice, FormRule, NavigationalPath, RequestClass, RequestMeans, Specification, TaughtClass, TaughtField,
    TaughtRule, Values, show_specification,
};

use super::*;

/// The running example of the paper.
const COMPANIES: &str = r#"<?xml version="1.0"?>
<!-- Written by hand. -->
<codec version="1" site="http://ex.com/">
  <page-class id="HOME" entry="true">
    <address>http://ex.com/</address>
    <assertion min-hold="0.9"><xpath>/html[1]/body[1]/h1[1][.='Companies']</xpath></assertion>
  </page-class>
  <page-class id="INDEX"/>
  <page-class id="SECTOR"/>
  <page-class id="COMPANY"/>
  <request-class id="BYINITIAL" from="HOME" to="INDEX" method="GET">
    <rule class="URL-REGEX"><xpath>/html[1]/body[1]/div[2]/a/@href</xpath><regex>^http://ex\.com/by/[A-Z]$</regex></rule>
  </request-class>
  <request-class id="BYSECTOR" from="HOME" to="SECTOR" method="POST">
    <form xpath="/html[1]/body[1]/form[1]">
      <field name="s" values="options"/><field name="q" const=""/><field name="y"><value>1</value><value>2</value></field><field name="z" values="none"/>
    </form>
  </request-class>
  <request-class id="NEXT" from="SECTOR" to="SECTOR"><rule class="ABSOLUTE"><xpath>//a[@rel='next']/@href</xpath></rule></request-class>
  <request-class id="OVERVIEW" from="INDEX" to="COMPANY"><rule class="ABSOLUTE"><xpath>//li/a/@href</xpath></rule></request-class>
  <request-class id="COMPOSITION" from="SECTOR" to="COMPANY"><rule class="ABSOLUTE"><xpath>//td/a/@href</xpath></rule></request-class>
  <wrapper page-class="COMPANY">
    <field name="last" optional="false">
      <rule class="LABELED" weight="0.8" nth="2"><pivot>Last &amp; only:</pivot><xpath>../../td[2]/text()</xpath><prefix>$ </prefix></rule>
      <rule class="ABSOLUTE"><xpath>//b/text()</xpath></rule>
    </field>
  </wrapper>
  <path>HOME BYINITIAL INDEX OVERVIEW COMPANY</path>
  <path name="sectors">HOME BYSECTOR
     SECTOR COMPOSITION COMPANY</path>
</codec>"#;

#[test]
fn the_running_example_is_read_shown_and_written() {
    let specification = parse_specification(COMPANIES).expect("the example is good");
    expect![[r#"
        site http://ex.com/
        HOME
          entry http://ex.com/
          asserts 0.9 of
          asserts /html[1]/body[1]/h1[1][.='Companies']
          -BYINITIAL-> INDEX by GET
            URL-REGEX /html[1]/body[1]/div[2]/a/@href ^http://ex\.com/by/[A-Z]$
          -BYSECTOR-> SECTOR by POST
            form /html[1]/body[1]/form[1]
              s = each option
              q = ""
              y = each of "1", "2"
              z = not sent
        INDEX
          -OVERVIEW-> COMPANY by GET
            ABSOLUTE /descendant::li/a/@href
        SECTOR
          -NEXT-> SECTOR by GET
            ABSOLUTE /descendant::a[@rel='next']/@href
          -COMPOSITION-> COMPANY by GET
            ABSOLUTE /descendant::td/a/@href
        COMPANY
          field last
            0.8 LABELED "Last & only:" no. 2 ../../td[2]/text() between "$ " and ""
            1 ABSOLUTE /descendant::b/text()
        path BYINITIAL: HOME -BYINITIAL-> INDEX -OVERVIEW-> COMPANY
        path sectors: HOME -BYSECTOR-> SECTOR -COMPOSITION-> COMPANY
    "#]]
    .assert_eq(&show_specification(&specification));
    let written = specification_text(&specification);
    assert_eq!(parse_specification(&written), Ok(specification));
}

fn check_refused(from: &str, to: &str, expected: Expect) {
    assert!(COMPANIES.contains(from), "{from}");
    let error = parse_specification(&COMPANIES.replacen(from, to, 1)).expect_err("it is refused");
    expected.assert_eq(&error.to_string());
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    check_refused(
        "<codec version=\"1\"",
        "<codec version=\"2\"",
        expect![[r#"line 3: its version is "2", and this program reads 1; use a newer program"#]],
    );
    check_refused(
        "<codec",
        "<!DOCTYPE codec><codec",
        expect!["line 3: a document type is not read; take it out"],
    );
    check_refused("&amp;", "&evil;", expect!["line 24: the entity &evil; is not known"]);
    check_refused(
        "optional=",
        "optionl=",
        expect!["line 23: <field> has no attribute optionl; it has name, optional, share, held, lost, kind, match"],
    );
    check_refused(
        "<page-class id=\"INDEX\"/>",
        "<page-clas id=\"INDEX\"/>",
        expect!["line 8: <codec> cannot hold <page-clas>; it may hold page-class, request-class, wrapper, path"],
    );
    check_refused(
        "class=\"LABELED\"",
        "class=\"ABSOLUTE\"",
        expect![[
            r#"line 24: the rule is called "ABSOLUTE", and its parts make it LABELED: LABELED has a <pivot>, URL-REGEX a <regex>, ABSOLUTE neither"#
        ]],
    );
    check_refused(
        "//b/text()",
        "//b/text((",
        expect![[
            r#"line 25: "//b/text((" is no path that rules may have: / is expected at character 9; such as /html[1]/body[1]/ul[1]/li/a[1]/@href"#
        ]],
    );
}

#[test]
fn the_share_of_an_optional_field_is_kept() {
    let with_share = COMPANIES.replacen("optional=\"false\"", "optional=\"true\" share=\"7/8\"", 1);
    let specification = parse_specification(&with_share).expect("the example is good");
    let shares = specification.classes.iter().flat_map(|class| &class.fields);
    assert_eq!(shares.map(|field| field.share).collect::<Vec<_>>(), [Some((7, 8))]);
    let written = specification_text(&specification);
    assert!(written.contains("optional=\"true\" share=\"7/8\""), "{written}");
    assert_eq!(parse_specification(&written), Ok(specification));
    check_refused(
        "optional=\"false\"",
        "optional=\"true\" share=\"9/8\"",
        expect![[r#"line 23: share is "9/8"; give how many pages had the field and of how many, such as 7/8"#]],
    );
}

#[test]
fn what_makes_no_sense_is_told() {
    check_refused(
        "weight=\"0.8\"",
        "weight=\"much\"",
        expect![[r#"line 24: weight is "much", which is no such number"#]],
    );
    check_refused(
        "weight=\"0.8\"",
        "weight=\"-1\"",
        expect!["line 3: a weight of field last of COMPANY is -1; give a number above 0"],
    );
    check_refused("</codec>", "", expect!["line 31: <codec> has no end"]);
    check_refused(
        "const=\"\"",
        "",
        expect![[
            r#"line 16: a field of a form has one of const="…", values="options", values="none" and <value> elements"#
        ]],
    );
    check_refused(
        "COMPOSITION COMPANY</path>",
        "COMPOSITION</path>",
        expect!["line 3: path sectors does not end with a page class; add the one that COMPOSITION leads to"],
    );
    check_refused(
        ">http://ex.com/</address>",
        ">ex.com</address>",
        expect![[
            r#"line 5: "ex.com" is no address (relative URL without a base); give one such as http://site.example/"#
        ]],
    );
    check_refused(
        "</wrapper>",
        "</wrapper><wrapper page-class=\"COMPANY\"/>",
        expect!["line 27: COMPANY has two wrappers; write their fields into one"],
    );
    let error = parse_specification("hello").expect_err("it is refused");
    assert_eq!(error.to_string(), "line 1: it is no XML document with one element");
    let deep = "<codec>".repeat(100);
    assert!(
        parse_specification(&deep)
            .expect_err("it is refused")
            .what
            .contains("too deep")
    );
}

#[test]
fn a_specification_of_one_class_without_an_entry_is_good() {
    let rule = ExtractionRule::labeled("Price", "../../td[1]/text()").expect("a good path");
    let rules = vec![TaughtRule { rule, weight: 1.0 }];
    let field = TaughtField::of_rules("price".to_owned(), true, rules);
    let class = TaughtClass {
        fields: vec![field],
        ..TaughtClass::named("page")
    };
    let specification = Specification {
        classes: vec![class],
        ..Specification::default()
    };
    expect![[r#"
        <codec version="1">
          <page-class id="page"/>
          <wrapper page-class="page">
            <field name="price" optional="true">
              <rule class="LABELED" weight="1" nth="1"><pivot>Price</pivot><xpath>../../td[1]/text()</xpath></rule>
            </field>
          </wrapper>
        </codec>
    "#]]
    .assert_eq(&specification_text(&specification));
}

/// Any text that pages have, with what XML minds.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just(" "),
        Just("<"),
        Just("&"),
        Just("\""),
        Just("'"),
        Just("]]>"),
        Just("ü"),
        Just("a"),
        Just("7"),
        Just("\u{1F600}")
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

prop_compose! {
    fn any_rule()(pivot in any_text(), is_labeled: bool, nth in 0u32..4, prefix in any_text(), suffix in any_text(), quoted in any_text(), has_url: bool) -> ExtractionRule {
        let path = |text: String| text.parse().expect("a good path");
        let literal = quoted.replace('\'', "''");
        let place = if is_labeled {
            let pivot = pivot.split_whitespace().collect::<Vec<_>>().join(" ").into();
            Locator::Labeled { pivot, nth, path: path("../../td[2]/text()".to_owned()) }
        } else {
            Locator::Absolute(path(format!("//p[.='{literal}']/@href")))
        };
        let url = has_url.then(|| UrlRegex::new(r"^http://a\.example/\?a=\d+\&b$").expect("a good pattern"));
        ExtractionRule { place, url, trim: Trim { prefix: prefix.into(), suffix: suffix.into() } }
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back(rules in prop::collection::vec((any_rule(), 0.001f64..1e9), 1..4), name in any_text(), values in prop::collection::vec(any_text(), 1..3), share in 0.0f64..=1.0) {
        let link_rules = rules.iter().map(|(rule, _)| rule.clone()).collect();
        let taught = rules.into_iter().map(|(rule, weight)| TaughtRule { rule, weight }).collect();
        let path: LocationPath = "//h1[.='a<b']".parse().expect("a good path");
        let address = UrlRegex::new(r"^http://a\.example/\?a&b$").ok();
        let class = TaughtClass {
            addresses: vec!["http://a.example/?a=1&b=2".parse().expect("a good address")],
            assertion: Assertion { paths: vec![path.clone()], min_hold: share, never: vec![path], address },
            fields: vec![TaughtField::of_rules(name.clone(), false, taught)],
            ..TaughtClass::named("A")
        };
        let choice = |name: &str, values| FieldChoice { name: name.to_owned(), values };
        let constant = values[0].clone();
        let choices = vec![choice(&name, Values::Listed(values)), choice(&format!("{name}2"), Values::Constant(constant))];
        let form = RequestMeans::Form(FormRule { path: "//form[1]".parse().expect("a good path"), choices });
        let request = |id: &str, method, means| RequestClass { id: id.to_owned(), from: "A".to_owned(), to: "A".to_owned(), method, means };
        let specification = Specification {
            site: None,
            classes: vec![class],
            request_classes: vec![request("F", Method::Post, form), request("L", Method::Get, RequestMeans::Links(link_rules))],
            paths: vec![NavigationalPath { given_name: Some(name), steps: vec!["A".to_owned()] }],
        };
        prop_assert_eq!(parse_specification(&specification_text(&specification)), Ok(specification));
    }
}

/// Arbitrary and mutated texts, for `UNTEMPLATE_FUZZ_SECONDS` (2 by default): reading ends, and
/// what is read writes and reads back.
#[test]
fn fuzz_specification() {
    let seconds = std::env::var("UNTEMPLATE_FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok());
    let budget = Duration::from_secs(seconds.unwrap_or(2));
    let started = Instant::now();
    let (mut random, mut rounds, mut n_good) = (u64::from(std::process::id()), 0, 0);
    let mut next = |below: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below.max(1)
    };
    while started.elapsed() < budget || rounds == 0 {
        let mut bytes = COMPANIES.as_bytes().to_vec();
        for _ in 0..next(6) {
            let (at, length) = (next(bytes.len()), next(40));
            let end = (at + length).min(bytes.len());
            match next(4) {
                0 => drop(bytes.drain(at..end)),
                1 => bytes[at] = next(256) as u8,
                2 => {
                    let copied = bytes[at..end].to_vec();
                    let to = next(bytes.len());
                    bytes.splice(to..to, copied);
                }
                _ => bytes.truncate(at),
            }
            if bytes.is_empty() {
                break;
            }
        }
        if let Ok(specification) = parse_specification(&String::from_utf8_lossy(&bytes)) {
            n_good += 1;
            let written = specification_text(&specification);
            assert_eq!(parse_specification(&written).as_ref(), Ok(&specification), "{written}");
        }
        rounds += 1;
    }
    eprintln!("fuzz_specification: {rounds} texts, {n_good} of them good, no finding");
}

#[test]
fn what_a_field_was_is_written_and_read() {
    let values =
        r#"<values count="10" commonest="2" digit="10" words="3" lengths="10 3 4.5 9" numbers="10 1 20 300"/>"#;
    let with_evidence = COMPANIES
        .replacen("optional=\"false\"", "optional=\"false\" held=\"9/10\"", 1)
        .replacen("</field>\n  </wrapper>", &format!("{values}</field>\n  </wrapper>"), 1);
    let specification = parse_specification(&with_evidence).expect("it is a specification");
    let class = specification.classes.iter().find(|class| !class.evidence.is_empty());
    let evidence = &class.expect("a class has evidence").evidence[0];
    assert_eq!((evidence.held, evidence.values.commonest), ((9, 10), 2));
    assert_eq!(
        (evidence.values.lengths.middle, evidence.values.numbers.most),
        (4.5, 300.0)
    );
    let written = specification_text(&specification);
    assert!(
        written.contains(values) && written.contains("held=\"9/10\""),
        "{written}"
    );
    assert_eq!(parse_specification(&written).as_ref(), Ok(&specification));
    for bad in ["held=\"11/10\"", "held=\"x\""] {
        assert!(
            parse_specification(&with_evidence.replace("held=\"9/10\"", bad)).is_err(),
            "{bad}"
        );
    }
    assert!(parse_specification(&with_evidence.replace("commonest", "comonest")).is_err());
}

#[test]
fn a_field_that_was_lost_says_so() {
    let text = r#"<codec version="1"><page-class id="ITEM"/><wrapper page-class="ITEM"><field name="price" optional="false" lost="true"></field></wrapper></codec>"#;
    let specification = parse_specification(text).expect("it is a specification");
    assert!(specification.classes[0].fields[0].slots.is_empty());
    assert_eq!(
        parse_specification(&specification_text(&specification)),
        Ok(specification)
    );
    assert!(parse_specification(&text.replace(" lost=\"true\"", "")).is_err());
}

/// Rows and clean-ups, as a person may write them.
const TEAM: &str = r#"<codec version="1"><page-class id="TEAM"/><wrapper page-class="TEAM">
<field name="founded" kind="integer" match="(\d+) &amp; on"><rule class="ABSOLUTE"><xpath>//dd</xpath></rule></field>
<rows name="SQUAD" optional="true"><xpath>//table[2]/tbody/tr</xpath>
<field name="player" column="2" header="Name &amp; age"/>
<field name="profile" column="2"><xpath>descendant::a/@href</xpath></field>
<field name="age"><xpath>span[1]</xpath><prefix>Age: </prefix></field></rows></wrapper></codec>"#;

#[test]
fn rows_and_clean_ups_are_read_and_written() {
    let specification = parse_specification(TEAM).expect("it is good");
    expect![[r#"
        TEAM
          field founded as integer matching (\d+) & on
            1 ABSOLUTE /descendant::dd
          rows SQUAD (optional) /descendant::table[2]/tbody/tr
            player: column 2 headed "Name & age"
            profile: column 2, descendant::a/@href
            age: span[1], between "Age: " and ""
    "#]]
    .assert_eq(&show_specification(&specification));
    let text = specification_text(&specification);
    assert_eq!(parse_specification(&text).expect("it was just written"), specification);
    let wrong = |from: &str, to: &str| {
        let error = parse_specification(&TEAM.replace(from, to)).expect_err("it is refused");
        error.to_string()
    };
    expect!["line 4: columns are counted from 1"].assert_eq(&wrong("column=\"2\" header", "column=\"0\" header"));
    expect!["line 4: a header stands above a column; give its number as well"]
        .assert_eq(&wrong("column=\"2\" header", "header"));
    assert!(wrong("kind=\"integer\"", "kind=\"int\"").contains("give one of text, integer"));
    assert!(wrong("(\\d+)", "(\\d+").contains("is no regular expression"));
    assert!(wrong("name=\"SQUAD\"", "name=\"team\"").contains("is there twice"));
}
