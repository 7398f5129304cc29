//! The model file: a site model as JSON, versioned.
//!
//! The file has structs of its own, so that the library's may change while files stay readable. It
//! is the result of `untemplate model` as well: what programs read (classes, links) stands first,
//! what classification needs (signs, shapes) last.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use untemplate::page::AttributeMode;
use untemplate::site::model::{
    AddressMark, AddressNode, AddressTree, ClassKind, ClassLink, CurvePoint, MarkKind, ModelAlgorithm, ModelTuning,
    PageClass, SchemaMode, SchemaPath, ShapeBook, ShapeOutcome, Sign, SiteModel,
};

/// The version this program writes, and the only one it reads.
pub const MODEL_VERSION: u32 = 1;

/// Why a model file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelFileError {
    /// It cannot be read.
    #[error("cannot read the model {path}: {source}; make one with `untemplate model ENTRY -o FILE`", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is no model.
    #[error("{path} is no site model: {reason}; make one with `untemplate model ENTRY -o FILE`", path = path.display())]
    NotAModel {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Another version wrote it.
    #[error(
        "{path} is a site model of version {version}, and this program reads version {MODEL_VERSION}; make it again with `untemplate model`",
        path = path.display()
    )]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u64,
    },
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredModel {
    version: u32,
    entry: String,
    algorithm: String,
    attributes: String,
    schema_mode: String,
    known_addresses: usize,
    classes: Vec<StoredClass>,
    links: Vec<StoredLink>,
    curve: Vec<(usize, usize, f64)>,
    /// How its pages were grouped; the usual numbers in files of before they were kept.
    #[serde(default)]
    tuning: StoredTuning,
    /// The nodes of the tree of addresses, the root first; empty in files of before it was kept.
    #[serde(default)]
    address_scripts: Vec<StoredNode>,
    wide_folders: Vec<String>,
    address_words: Vec<(String, String)>,
    address_outcomes: Vec<StoredOutcome>,
    /// By kind of features.
    signs: BTreeMap<String, Vec<StoredSign>>,
}

/// The numbers that decide how pages are grouped; those that are not said are the usual ones.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct StoredTuning {
    explained_min: f64,
    script_trust: f32,
    division_doubt: f32,
    tag_pairs_trust: f32,
    join_share: f32,
    expected_likeness: f32,
}

impl From<ModelTuning> for StoredTuning {
    fn from(tuning: ModelTuning) -> Self {
        Self {
            explained_min: tuning.explained_min,
            script_trust: tuning.script_trust,
            division_doubt: tuning.division_doubt,
            tag_pairs_trust: tuning.tag_pairs_trust,
            join_share: tuning.join_share,
            expected_likeness: tuning.expected_likeness,
        }
    }
}

impl From<StoredTuning> for ModelTuning {
    fn from(tuning: StoredTuning) -> Self {
        Self {
            explained_min: tuning.explained_min,
            script_trust: tuning.script_trust,
            division_doubt: tuning.division_doubt,
            tag_pairs_trust: tuning.tag_pairs_trust,
            join_share: tuning.join_share,
            expected_likeness: tuning.expected_likeness,
        }
    }
}

impl Default for StoredTuning {
    fn default() -> Self {
        ModelTuning::default().into()
    }
}

/// A node of the tree of addresses: the number of a leaf, or a mark (its kind, place and text) and
/// the nodes with and without it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum StoredNode {
    Leaf(usize),
    Test(String, usize, String, usize, usize),
}

/// A feature in hexadecimal, its weight, and by class the share of pages that have it.
type StoredSign = (String, f32, Vec<(u32, f32)>);

#[derive(Debug, Serialize, Deserialize)]
struct StoredClass {
    id: usize,
    name: String,
    kind: String,
    estimated_pages: usize,
    url_pattern: String,
    likeness: f32,
    pages: Vec<String>,
    titles: Vec<String>,
    schema: Vec<StoredPath>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredPath {
    path: String,
    support: f64,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredLink {
    from: usize,
    path: String,
    to: usize,
    count: usize,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredOutcome {
    shape: String,
    classes: Vec<(usize, u32)>,
    dead: u32,
}

const FEATURE_KINDS: [&str; 4] = ["mark_up", "bones", "texts", "address"];
const ALGORITHMS: [(&str, ModelAlgorithm); 2] = [
    ("witnesses", ModelAlgorithm::Fingerprints),
    ("compute-model", ModelAlgorithm::ComputeModel),
];
const ATTRIBUTES: [(&str, AttributeMode); 4] = [
    ("none", AttributeMode::None),
    ("names", AttributeMode::Names),
    ("norm", AttributeMode::Normalised),
    ("full", AttributeMode::Full),
];
const SCHEMAS: [(&str, SchemaMode); 2] = [("union", SchemaMode::Union), ("optimal", SchemaMode::Optimal)];
const KINDS: [ClassKind; 4] = [
    ClassKind::List,
    ClassKind::Detail,
    ClassKind::Menu,
    ClassKind::Singleton,
];

/// The model as the text of a file.
pub fn write_model(model: &SiteModel) -> String {
    let stored = StoredModel {
        version: MODEL_VERSION,
        entry: model.entry.clone(),
        algorithm: word(&ALGORITHMS, model.algorithm),
        attributes: word(&ATTRIBUTES, model.attributes),
        schema_mode: word(&SCHEMAS, model.schema_mode),
        known_addresses: model.n_addresses,
        classes: model.classes.iter().enumerate().map(stored_class).collect(),
        links: model.links.iter().map(stored_link).collect(),
        curve: model
            .curve
            .iter()
            .map(|point| (point.n_pages, point.n_classes, point.description))
            .collect(),
        tuning: model.tuning.into(),
        address_scripts: model.scripts.nodes().iter().map(stored_node).collect(),
        wide_folders: model.shapes.wide_folders.iter().cloned().collect(),
        address_words: model.shapes.words.iter().cloned().collect(),
        address_outcomes: model.shape_outcomes.iter().map(stored_outcome).collect(),
        signs: FEATURE_KINDS
            .iter()
            .zip(&model.signs)
            .map(|(name, signs)| ((*name).to_owned(), signs.iter().map(stored_sign).collect()))
            .collect(),
    };
    serde_json::to_string(&stored).expect("a model is numbers and texts")
}

fn stored_node(node: &AddressNode) -> StoredNode {
    match node {
        AddressNode::Leaf(leaf) => StoredNode::Leaf(*leaf),
        AddressNode::Test(mark, with, without) => StoredNode::Test(
            word(&MarkKind::ALL, mark.kind),
            mark.place,
            mark.text.clone(),
            *with,
            *without,
        ),
    }
}

/// The tree of addresses; one script for all in files of before it was kept.
fn read_scripts(nodes: Vec<StoredNode>) -> Result<AddressTree, String> {
    if nodes.is_empty() {
        return Ok(AddressTree::default());
    }
    let n_nodes = nodes.len();
    let read = nodes.into_iter().map(|node| match node {
        StoredNode::Leaf(leaf) if leaf < n_nodes => Ok(AddressNode::Leaf(leaf)),
        StoredNode::Leaf(leaf) => Err(format!("address_scripts has no leaf {leaf}")),
        StoredNode::Test(kind, place, text, with, without) => {
            let kind = value(&MarkKind::ALL, "the kind of an address's mark", &kind)?;
            Ok(AddressNode::Test(AddressMark { kind, place, text }, with, without))
        }
    });
    let nodes: Vec<AddressNode> = read.collect::<Result<_, String>>()?;
    AddressTree::from_nodes(nodes).ok_or_else(|| "address_scripts is no tree".to_owned())
}

fn stored_class((id, class): (usize, &PageClass)) -> StoredClass {
    let path = |path: &SchemaPath| StoredPath {
        path: path.path.clone(),
        support: rounded(path.support),
    };
    StoredClass {
        id,
        name: class.name.clone(),
        kind: class.kind.name().to_owned(),
        estimated_pages: class.estimated_pages,
        url_pattern: class.url_pattern.clone(),
        likeness: class.likeness,
        pages: class.pages.clone(),
        titles: class.titles.clone(),
        schema: class.schema.iter().map(path).collect(),
    }
}

fn stored_link(link: &ClassLink) -> StoredLink {
    StoredLink {
        from: link.from,
        path: link.path.clone(),
        to: link.to,
        count: link.count,
    }
}

fn stored_outcome(outcome: &ShapeOutcome) -> StoredOutcome {
    StoredOutcome {
        shape: outcome.shape.clone(),
        classes: outcome.classes.clone(),
        dead: outcome.dead,
    }
}

fn stored_sign(sign: &Sign) -> StoredSign {
    (format!("{:x}", sign.feature), sign.weight, sign.classes.clone())
}

fn word<T: Copy + PartialEq>(words: &[(&str, T)], value: T) -> String {
    let found = words.iter().find(|(_, known)| *known == value);
    found.map_or("", |(word, _)| word).to_owned()
}

/// A share to four places: more would be noise in a file that people read.
fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

/// Reads a model file.
pub fn read_model(path: &Path) -> Result<SiteModel, ModelFileError> {
    let text = fs::read_to_string(path).map_err(|source| ModelFileError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let version = serde_json::from_str::<serde_json::Value>(&text)
        .ok()
        .and_then(|value| value.get("version")?.as_u64());
    if let Some(version) = version.filter(|&version| version != u64::from(MODEL_VERSION)) {
        return Err(ModelFileError::OtherVersion {
            path: path.to_owned(),
            version,
        });
    }
    parse_model(&text).map_err(|reason| ModelFileError::NotAModel {
        path: path.to_owned(),
        reason,
    })
}

/// The model that the text of a file holds, or why it holds none.
pub fn parse_model(text: &str) -> Result<SiteModel, String> {
    let stored: StoredModel = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let n_classes = stored.classes.len();
    let is_class = |class: usize| class < n_classes;
    if !stored.links.iter().all(|link| is_class(link.from) && is_class(link.to)) {
        return Err("a link is between classes that are not there".to_owned());
    }
    let mut outcomes = stored.address_outcomes.iter().flat_map(|outcome| &outcome.classes);
    if !outcomes.all(|(class, _)| is_class(*class)) {
        return Err("an address leads to a class that is not there".to_owned());
    }
    let mut signs: [Vec<Sign>; 4] = Default::default();
    for (name, signs) in FEATURE_KINDS.iter().zip(&mut signs) {
        for (feature, weight, classes) in stored.signs.get(*name).into_iter().flatten() {
            let feature = u64::from_str_radix(feature, 16).map_err(|error| format!("the sign {feature}: {error}"))?;
            if !classes.iter().all(|(class, _)| is_class(*class as usize)) {
                return Err("a sign is of a class that is not there".to_owned());
            }
            signs.push(Sign {
                feature,
                weight: *weight,
                classes: classes.clone(),
            });
        }
    }
    Ok(SiteModel {
        entry: stored.entry,
        algorithm: value(&ALGORITHMS, "algorithm", &stored.algorithm)?,
        attributes: value(&ATTRIBUTES, "attributes", &stored.attributes)?,
        schema_mode: value(&SCHEMAS, "schema_mode", &stored.schema_mode)?,
        classes: stored.classes.into_iter().map(read_class).collect::<Result<_, _>>()?,
        links: stored.links.into_iter().map(read_link).collect(),
        signs,
        tuning: stored.tuning.into(),
        scripts: read_scripts(stored.address_scripts)?,
        shapes: ShapeBook {
            wide_folders: stored.wide_folders.into_iter().collect(),
            words: stored.address_words.into_iter().collect(),
        },
        shape_outcomes: stored.address_outcomes.into_iter().map(read_outcome).collect(),
        curve: stored.curve.into_iter().map(read_point).collect(),
        n_addresses: stored.known_addresses,
    })
}

fn value<T: Copy>(words: &[(&str, T)], what: &str, word: &str) -> Result<T, String> {
    let found = words.iter().find(|(known, _)| *known == word);
    found
        .map(|(_, value)| *value)
        .ok_or_else(|| format!("{what} cannot be {word}"))
}

fn read_class(class: StoredClass) -> Result<PageClass, String> {
    let kind = KINDS.iter().find(|kind| kind.name() == class.kind);
    let path = |path: StoredPath| SchemaPath {
        path: path.path,
        support: path.support,
    };
    Ok(PageClass {
        kind: *kind.ok_or_else(|| format!("kind cannot be {}", class.kind))?,
        name: class.name,
        pages: class.pages,
        titles: class.titles,
        schema: class.schema.into_iter().map(path).collect(),
        url_pattern: class.url_pattern,
        estimated_pages: class.estimated_pages,
        likeness: class.likeness,
    })
}

fn read_link(link: StoredLink) -> ClassLink {
    ClassLink {
        from: link.from,
        to: link.to,
        path: link.path,
        count: link.count,
    }
}

fn read_outcome(outcome: StoredOutcome) -> ShapeOutcome {
    ShapeOutcome {
        shape: outcome.shape,
        classes: outcome.classes,
        dead: outcome.dead,
    }
}

fn read_point((n_pages, n_classes, description): (usize, usize, f64)) -> CurvePoint {
    CurvePoint {
        n_pages,
        n_classes,
        description,
    }
}
