//! "Propose all fields": what inference finds on the pages of the class, to be struck out and
//! renamed.

use maud::{Markup, html};
use serde_json::Value;
use untemplate::teach::{Choice, Example, ProposedValue, propose_fields};

use super::asked::Asked;
use super::marks::{Mark, collapsed, marks};
use super::panel::Scene;

/// Proposals of fields that are not known yet.
fn proposals(scene: &Scene<'_>) -> Vec<ProposedValue> {
    let class = &scene.known.lesson.classes[scene.class];
    let known: Vec<&Example> = class.examples.iter().collect();
    let is_known = |its: &ProposedValue| {
        let mut said = known.iter();
        said.any(|example| {
            its.examples
                .iter()
                .any(|own| own.page == example.page && own.value == example.value)
        })
    };
    let all = propose_fields(scene.session().sample(), scene.page_number);
    all.into_iter().filter(|its| !is_known(its)).collect()
}

/// Where the proposals are looked at, if the sample is large enough for any.
pub fn propose_link(scene: &Scene<'_>) -> Markup {
    html! {
        @if scene.session().sample().len() > 1 {
            p { a.button data-soft="" data-key="f" href={ (scene.here()) "&propose=1" } { "Propose all fields" kbd { "f" } } }
        }
    }
}

/// The proposals, each with its name and its values; the marks of those on the page in view.
pub fn proposal_panel(scene: &Scene<'_>) -> (Markup, Vec<Value>) {
    let all = proposals(scene);
    let dom = &scene.page.page.dom;
    let place = |its: &ProposedValue| {
        let value = its.values.get(scene.page_number)?.as_ref()?;
        value.place_on(dom)
    };
    let all_marks = marks(
        dom,
        Mark::Field,
        all.iter().filter(|its| its.is_wanted).filter_map(place),
    );
    let n_sure = all.iter().filter(|its| its.is_sure).count();
    let markup = html! {
        section.card.proposal aria-labelledby="proposed" {
            h2 #proposed { "All fields of these pages" }
            @if all.is_empty() {
                p { "Nothing on these pages varies that is not read already. More pages of the class may show more." }
            } @else {
                p.quiet { "Uncheck what you do not want, and give the rest your names. " (n_sure) " of " (all.len()) " are sure; the others will be asked about." }
                form.stack method="post" action=(scene.action()) data-soft="" {
                    (scene.hidden("show_all"))
                    div.scroll.columns.tall tabindex="0" {
                        table {
                            thead { tr { th scope="col" { span.unseen { "Wanted" } } th scope="col" { "Field" } th scope="col" { "On these pages" } } }
                            tbody {
                                @for (index, its) in all.iter().enumerate() {
                                    @let marked = marks(dom, Mark::Candidate, place(its).into_iter());
                                    tr data-marks=(Value::from(marked).to_string()) {
                                        td { input type="checkbox" name="column" value=(index) checked[its.is_wanted] aria-label={ "Read " (its.name) }; }
                                        td { input name={ "name-" (index) } value=(its.name) aria-label={ "Name of field " (index + 1) } maxlength="64" size="12"; }
                                        td.quiet { span.line { (shown(scene, its)) } @if !its.is_sure { " " span.doubt { "asked about" } } }
                                    }
                                }
                            }
                        }
                    }
                    div.row { button.primary { "Read these fields" } }
                }
            }
            p { a data-soft="" href=(scene.here()) { "Never mind" } }
        }
    };
    (markup, all_marks)
}

/// What a field is on the page in view and on the next ones.
fn shown(scene: &Scene<'_>, its: &ProposedValue) -> String {
    let own = its.values.iter().skip(scene.page_number).take(1);
    let others = its
        .values
        .iter()
        .enumerate()
        .filter(|(page, _)| *page != scene.page_number);
    let texts = own.chain(others.map(|(_, value)| value)).take(3);
    let texts = texts.map(|value| value.as_ref().map_or("–", |value| value.text.as_str()));
    texts.collect::<Vec<_>>().join(" · ")
}

/// The choice that the form of the proposals makes.
pub fn show_all_choice(scene: &Scene<'_>, asked: &Asked) -> Result<Choice, &'static str> {
    let class = &scene.known.lesson.classes[scene.class];
    let mut names: Vec<String> = class.field_names().into_iter().map(str::to_lowercase).collect();
    let (mut examples, mut absent) = (Vec::new(), Vec::new());
    for (index, its) in proposals(scene).into_iter().enumerate() {
        let index = index.to_string();
        if !asked.all("column").any(|checked| checked == index) {
            continue;
        }
        let name = collapsed(asked.get(&format!("name-{index}")));
        if name.is_empty() || name.contains(char::is_control) || names.contains(&name.to_lowercase()) {
            return Err("unnamed");
        }
        names.push(name.to_lowercase());
        absent.extend(its.absent.iter().map(|&page| (name.clone(), page)));
        examples.extend(its.examples.into_iter().map(|example| Example {
            field: name.clone(),
            ..example
        }));
    }
    if examples.is_empty() {
        return Err("columns");
    }
    Ok(Choice::ShowAll {
        class: class.id.clone(),
        examples,
        absent,
    })
}
