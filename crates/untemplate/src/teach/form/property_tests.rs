//! What holds of every page with forms: reading ends, and every submission is a request of the web.

use proptest::prelude::*;

use super::*;
use crate::page::{Method, NodeId, Page, ParseOptions, Response};
use crate::teach::{FieldChoice, FormRule, Values};

/// Pieces of pages with forms, good and broken.
const PIECES: [&str; 24] = [
    "<form action=/f>",
    "<form method=post action='?x'>",
    "<form id=g action='http://['>",
    "</form>",
    "<table><tr>",
    "</table>",
    "<td>",
    "<input name=a value=1>",
    "<input name=a type=checkbox checked>",
    "<input form=g name=b>",
    "<select name=s multiple>",
    "<select name=s>",
    "<option>x",
    "<option value='' selected>",
    "<optgroup disabled>",
    "</select>",
    "<textarea name=t>\r\n",
    "<fieldset disabled>",
    "<button name=b>Buy",
    "<input type=image name=i>",
    "<datalist id=l>",
    "<input list=l name=q>",
    "<template>",
    "<meta charset=shift_jis>ü",
];

proptest! {
    #[test]
    fn forms_of_any_page_make_requests(picks in prop::collection::vec(0..PIECES.len(), 0..30)) {
        let html: String = picks.iter().map(|&pick| PIECES[pick]).collect();
        let url = "http://shop.example/a?b".parse().expect("a good address");
        let page = Page::read(&Response::html(url, html), &ParseOptions::default());
        for node in page.dom.nodes() {
            let Some(form) = Form::read(&page, node) else { continue };
            let _ = may_change(&form);
            let path = crate::page::xpath_of(&page.dom, node).parse().expect("a node has a path");
            let names: Vec<String> = form.controls.iter().map(|control| control.name.clone()).collect();
            let choices = names.first().map(|name| FieldChoice { name: name.clone(), values: Values::Options });
            let rule = FormRule { path, choices: choices.into_iter().collect() };
            let Ok(plan) = FormPlan::new(&page, &rule, form.method) else { continue };
            let varying: Vec<usize> = (0..plan.variations.len()).collect();
            prop_assert!(plan.size(&varying) >= 1 && node != NodeId::DOCUMENT);
            for number in 0..plan.size(&varying) {
                let request = plan.request(&varying, number);
                prop_assert_eq!(request.method, form.method);
                prop_assert!(request.body.is_ascii() && (request.method == Method::Post || request.body.is_empty()));
                prop_assert_eq!(request, plan.request(&varying, number));
            }
        }
    }
}
