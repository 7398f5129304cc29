//! Properties of rules: paths read back as they print, every node is found by its own path, and no
//! text makes reading panic.

use proptest::prelude::*;

use super::*;
use crate::page::{NodeId, ParseOptions, parse_html, xpath_of};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn reading_a_path_never_panics_and_printing_it_reads_back(text in "[/.@*a-c0-9'\"\\[\\]()=,:-]{0,40}") {
        if let Ok(path) = text.parse::<LocationPath>() {
            let printed = path.to_string();
            prop_assert_eq!(printed.parse::<LocationPath>(), Ok(path), "{}", printed);
        }
    }

    #[test]
    fn a_node_is_what_its_own_path_selects(html in "(<(ul|li|b|p|td|table|tr)>|x|</(ul|b|p|table)>){0,30}") {
        let (dom, _) = parse_html(&html, &ParseOptions::default());
        for node in dom.nodes().filter(|&node| dom.is_element(node) || dom.is_text(node)) {
            let path: LocationPath = xpath_of(&dom, node).parse().expect("its own path");
            let selected = select(&path, &dom, NodeId::DOCUMENT);
            prop_assert_eq!(selected, vec![Selected { node, attribute: None }]);
        }
    }

    #[test]
    fn any_text_is_a_pattern_or_an_error(text in ".{0,40}") {
        let _ = UrlRegex::new(&text);
    }
}
