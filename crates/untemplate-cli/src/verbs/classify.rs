//! `untemplate classify`: the page class of each page, by a site model.

use anyhow::Result;
use serde_json::{Value, json};
use untemplate::page::{AttributeFilter, Page};
use untemplate::site::model::{Classification, Classifier, ModelAlgorithm, Predictor, SiteModel, sight};
use untemplate_papers::compute_model::SchemaClassifier;
use untemplate_store::{Figures, SourceSite, read_model};
use url::Url;

use crate::arguments::ClassifyArguments;
use crate::outcome::{Outcome, WrongUsage};
use crate::output::ResultWriter;
use crate::page_arguments::{expand, read_page};
use crate::summary::{Summary, summarised};

/// Classifies each page in turn. A page that cannot be fetched is said, and the others are
/// classified.
pub fn run(arguments: &ClassifyArguments) -> Result<Outcome> {
    summarised("classify", &arguments.output, |summary| {
        let model = read_model(&arguments.model)?;
        if arguments.predict {
            return predict_all(arguments, &model);
        }
        let mut site = summary.open_site(&arguments.sources, &arguments.output, false)?;
        let result = classify_all(arguments, &model, &mut site, summary);
        // Whatever was asked for and could not be fetched is a loss here, a missing file or page
        // included.
        summary.figures = Figures {
            failures: summary.figures.failures,
            ..site.figures
        };
        result
    })
}

/// The way of classification that suits how a model was made.
enum Way {
    Fingerprints(Box<Classifier>, AttributeFilter),
    Schemas(Box<SchemaClassifier>),
}

impl Way {
    fn of(model: &SiteModel) -> Self {
        match model.algorithm {
            ModelAlgorithm::Fingerprints => {
                let mode = model.attributes;
                Self::Fingerprints(Box::new(Classifier::new(model)), AttributeFilter { mode })
            }
            ModelAlgorithm::ComputeModel => Self::Schemas(Box::new(SchemaClassifier::new(model))),
        }
    }

    fn classify(&self, page: &Page) -> Classification {
        match self {
            Self::Fingerprints(classifier, filter) => classifier.classify(&sight(page, filter).fingerprint, &page.url),
            Self::Schemas(classifier) => classifier.classify(page),
        }
    }
}

fn classify_all(
    arguments: &ClassifyArguments,
    model: &SiteModel,
    site: &mut SourceSite,
    summary: &mut Summary,
) -> Result<Outcome> {
    let way = Way::of(model);
    let names = expand(&arguments.pages)?;
    let mut writer = ResultWriter::open(&arguments.output)?;
    let mut is_any_known = false;
    for name in &names {
        match read_page(name, site, &arguments.sources) {
            Ok(page) => {
                let found = way.classify(&page);
                is_any_known |= found.class.is_some();
                let mut row = row(model, name, page.url.as_str(), found.class);
                row["cost"] = json!(rounded(found.cost));
                writer.write(format!("{row}\n").as_bytes())?;
            }
            Err(error) => summary.note_failed(name, error, names.len())?,
        }
    }
    summary.refuse_none_had(names.len())?;
    writer.finish()?;
    Ok(match summary.partial_because.is_empty() {
        false => Outcome::Partial,
        true if !is_any_known => Outcome::Nothing,
        true => Outcome::Complete,
    })
}

/// Tells the class of addresses that nobody downloads.
fn predict_all(arguments: &ClassifyArguments, model: &SiteModel) -> Result<Outcome> {
    let predictor = Predictor::new(model);
    let mut writer = ResultWriter::open(&arguments.output)?;
    let mut is_any_known = false;
    for name in expand(&arguments.pages)? {
        let url = Url::parse(&name)
            .map_err(|error| WrongUsage(format!("{name} is no address ({error}); --predict needs addresses")))?;
        let found = predictor.predict(&url);
        is_any_known |= found.is_some();
        let mut row = row(model, &name, url.as_str(), found.map(|prediction| prediction.class));
        row["confidence"] = json!(found.map(|prediction| rounded(prediction.confidence)));
        writer.write(format!("{row}\n").as_bytes())?;
    }
    writer.finish()?;
    Ok(if is_any_known {
        Outcome::Complete
    } else {
        Outcome::Nothing
    })
}

fn row(model: &SiteModel, name: &str, url: &str, class: Option<usize>) -> Value {
    json!({
        "page": name,
        "url": url,
        "page_class": class,
        "class_name": class.map(|class| &model.classes[class].name),
    })
}

fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
