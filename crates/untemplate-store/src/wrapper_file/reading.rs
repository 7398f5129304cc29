//! Readings as JSON: `{"pages", "vocabulary": {…}, "fields": […], "places": […]}`, a field and a
//! place a line, places after those that hold them; the first is the page.
//!
//! A place says how it is reached (`in`, `step`, `text`) and what becomes of it (`values`, `prose`,
//! `rows`, `whole`, or `left_out` with the reason). The vocabulary has hashes alone: texts of the
//! pages are not in the file.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use untemplate::wrapper::reading::{
    ClassReading, ClassSchema, Field, FieldInfo, Frequencies, Guide, Hashes, LineTemplate, Place, PlaceId, Role, Rows,
    Step, StepKind, Vocabulary,
};

use super::{VERSION, WrapperFileError};

/// Writes a reading: what of it is needed to read pages.
pub(super) fn write(reading: &ClassReading) -> String {
    let schema = reading.schema.pruned();
    let vocabulary = vocabulary_to_json(&reading.vocabulary);
    let pages = reading.vocabulary.n_pages();
    let mut text = format!(
        "{{\"version\": {VERSION}, \"kind\": \"reading\", \"pages\": {pages},\n\"vocabulary\": {vocabulary},\n"
    );
    let fields: Vec<String> = schema
        .fields
        .iter()
        .map(|field| info_to_json(field).to_string())
        .collect();
    text.push_str(&format!("\"fields\": [\n{}],\n", fields.join(",\n")));
    let steps = other_steps(&schema.guide);
    let place = |place: PlaceId| place_to_json(&schema, place, &steps[place]).to_string();
    let places: Vec<String> = (0..schema.roles.len()).map(place).collect();
    text.push_str(&format!("\"places\": [\n{}]}}\n", places.join(",\n")));
    text
}

fn hash_text(hash: u64) -> Value {
    json!(format!("{hash:x}"))
}

fn vocabulary_to_json(vocabulary: &Vocabulary) -> Value {
    let hashes = |hashes: &Hashes| {
        let mut sorted: Vec<u64> = hashes.iter().copied().collect();
        sorted.sort_unstable();
        Value::Array(sorted.into_iter().map(hash_text).collect())
    };
    let numbers = |counts: &Frequencies| {
        let object = counts.iter().map(|(hash, n)| (format!("{hash:x}"), json!(n)));
        Value::Object(
            object
                .collect::<std::collections::BTreeMap<_, _>>()
                .into_iter()
                .collect(),
        )
    };
    json!({
        "headings": hashes(&vocabulary.headings),
        "labels": numbers(&vocabulary.labels),
        "names": hashes(&vocabulary.names),
        "row_labels": hashes(&vocabulary.row_labels),
        "lines": numbers(&vocabulary.lines),
        "frame_pages_min": vocabulary.frame_pages_min,
        "frame_texts": hashes(&vocabulary.frame_texts),
        "bound_lines": hashes(&vocabulary.bound_lines),
        "site_frame": hashes(&vocabulary.site_frame),
        "menus": hashes(&vocabulary.menus),
        "kinds": hashes(&vocabulary.kinds),
    })
}

fn info_to_json(info: &FieldInfo) -> Value {
    let mut object = Map::new();
    object.insert("key".to_owned(), json!(*info.key));
    if !info.list_path.is_empty() {
        let lists: Vec<&str> = info.list_path.iter().map(|list| &**list).collect();
        object.insert("in_lists".to_owned(), json!(lists));
    }
    for (key, text) in [("label", &info.label), ("mark", &info.mark), ("tag", &info.tag)] {
        if !text.is_empty() {
            object.insert(key.to_owned(), json!(text));
        }
    }
    if !info.context.is_empty() {
        object.insert("context".to_owned(), json!(info.context));
    }
    if let Some(attribute) = info.attribute {
        object.insert("attribute".to_owned(), json!(attribute));
    }
    if let Some(beside) = &info.beside {
        object.insert("beside".to_owned(), json!(**beside));
    }
    for (key, is_so) in [
        ("is_prose", info.is_prose),
        ("is_heading", info.is_heading),
        ("is_reference", info.is_reference),
        ("is_list", info.is_list),
    ] {
        if is_so {
            object.insert(key.to_owned(), json!(true));
        }
    }
    Value::Object(object)
}

/// Of each place, the steps that lead to it beside its own: from which place, and the hash.
fn other_steps(guide: &Guide) -> Vec<Vec<(PlaceId, u64)>> {
    let mut steps = vec![Vec::new(); guide.places.len()];
    for (from, hash, to) in guide.steps() {
        if (from, hash) != (guide.places[to].parent, own_step(&guide.places[to])) {
            steps[to].push((from, hash));
        }
    }
    steps.iter_mut().for_each(|steps| steps.sort_unstable());
    steps
}

fn own_step(place: &Place) -> u64 {
    Step {
        kind: place.kind,
        text: &place.text,
    }
    .hash()
}

fn place_to_json(schema: &ClassSchema, number: PlaceId, steps: &[(PlaceId, u64)]) -> Value {
    let place = &schema.guide.places[number];
    let mut object = json!({
        "place": number,
        "in": place.parent,
        "step": place.kind.name(),
        "seen": [place.n, place.n_parents, place.texts.n_chars],
    });
    if !place.text.is_empty() {
        object["text"] = json!(place.text);
    }
    if place.is_merged {
        object["is_merged"] = json!(true);
    }
    if !steps.is_empty() {
        object["also_by"] = steps
            .iter()
            .map(|&(from, hash)| json!([from, hash_text(hash)]))
            .collect();
    }
    // Its own step may lead elsewhere: to a place that it was made one with.
    if number > 0 && schema.guide.child(place.parent, own_step(place)) != Some(number) {
        object["is_apart"] = json!(true);
    }
    match &schema.roles[number] {
        Role::Skip => object["skip"] = json!(true),
        Role::Open(None) => {}
        Role::Open(Some(key)) => object["whole"] = json!(**key),
        Role::Field(field) => object["values"] = field_to_json(field),
        Role::Prose(field) => object["prose"] = field_to_json(field),
        Role::Rows(rows) => {
            object["rows"] = json!({"key": *rows.key, "values": field_to_json(&rows.own), "is_flat": rows.is_flat});
            if let Some(key) = &rows.carried {
                object["rows"]["carried"] = json!(**key);
            }
            if let Some(key) = &rows.of_text {
                object["rows"]["of_text"] = json!(**key);
            }
        }
    }
    let reasons: Vec<&str> = schema
        .left_out
        .iter()
        .filter(|(left, _)| *left == number)
        .map(|(_, why)| &**why)
        .collect();
    if !reasons.is_empty() {
        object["left_out"] = json!(reasons);
    }
    object
}

fn field_to_json(field: &Field) -> Value {
    let keys = [
        ("text", &field.text),
        ("link", &field.link),
        ("picture", &field.picture),
        ("links", &field.links),
        ("link_text", &field.link_text),
        ("later", &field.later),
        ("before", &field.around.as_ref().map(|(before, _)| before.clone())),
        ("after", &field.around.as_ref().map(|(_, after)| after.clone())),
    ];
    let keys = keys
        .into_iter()
        .filter_map(|(name, key)| Some((name.to_owned(), json!(**key.as_ref()?))));
    let mut object: Map<String, Value> = keys.collect();
    if !field.parts.is_empty() {
        let parts: Vec<[&str; 2]> = field
            .parts
            .iter()
            .map(|(class, key)| [class.as_str(), &**key])
            .collect();
        object.insert("parts".to_owned(), json!(parts));
    }
    if let Some((template, keys)) = &field.template {
        let keys: Vec<&str> = keys.iter().map(|key| &**key).collect();
        let template = json!({"before": template.before, "after": template.after, "keys": keys});
        object.insert("template".to_owned(), template);
    }
    Value::Object(object)
}

/// Reads a reading.
pub(super) fn read(file: &Value) -> Result<ClassReading, WrapperFileError> {
    let vocabulary = vocabulary_of_json(file).map_err(|what| WrapperFileError::Part { part: 0, what })?;
    let values = list(&file["places"]);
    let mut places: Vec<Place> = Vec::with_capacity(values.len());
    let mut roles = Vec::with_capacity(values.len());
    let mut left_out = Vec::new();
    let mut own_steps = Vec::new();
    let mut other_steps = Vec::new();
    for (number, value) in values.iter().enumerate() {
        let error = |what: String| WrapperFileError::Part { part: number, what };
        let place = place_of_json(number, value).map_err(error)?;
        for step in list(&value["also_by"]) {
            let (from, hash) = step_of_json(step, values.len()).map_err(error)?;
            other_steps.push((from, hash, number));
        }
        if number > 0 {
            places[place.parent].children.push(number);
            if value["is_apart"] != true {
                own_steps.push((place.parent, own_step(&place), number));
            }
        }
        left_out.extend(texts(&value["left_out"]).map(|why| (number, Cow::Owned(why.to_owned()))));
        roles.push(role_of_json(value));
        places.push(place);
    }
    if places.is_empty() {
        let what = "the file has no places".to_owned();
        return Err(WrapperFileError::Part { part: 0, what });
    }
    let schema = ClassSchema {
        guide: Guide::of_places(places, own_steps.into_iter().chain(other_steps)),
        roles,
        fields: list(&file["fields"]).iter().map(info_of_json).collect(),
        left_out,
    };
    Ok(ClassReading { vocabulary, schema })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[][..], Vec::as_slice)
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    list(value).iter().filter_map(Value::as_str)
}

fn hash_of(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 16).map_err(|error| format!("{text:?} is no hash: {error}"))
}

fn vocabulary_of_json(file: &Value) -> Result<Vocabulary, String> {
    let value = &file["vocabulary"];
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    let hashes = |key: &str| texts(&value[key]).map(hash_of).collect::<Result<Hashes, String>>();
    let numbers = |key: &str| {
        let object = value[key].as_object().into_iter().flatten();
        let pairs = object.map(|(hash, n)| Ok((hash_of(hash)?, number(n).ok_or_else(|| format!("{n} is no number"))?)));
        pairs.collect::<Result<Frequencies, String>>()
    };
    let frame_pages_min = number(&value["frame_pages_min"]).filter(|&min| min > 0);
    Ok(Vocabulary {
        n_pages: number(&file["pages"]).ok_or("the file does not say how many pages were read")? as usize,
        headings: hashes("headings")?,
        labels: numbers("labels")?,
        names: hashes("names")?,
        row_labels: hashes("row_labels")?,
        lines: numbers("lines")?,
        frame_pages_min: frame_pages_min.ok_or("the vocabulary has no frame_pages_min above 0")?,
        frame_texts: hashes("frame_texts")?,
        bound_lines: hashes("bound_lines")?,
        site_frame: hashes("site_frame")?,
        menus: hashes("menus")?,
        kinds: hashes("kinds")?,
    })
}

fn place_of_json(number: PlaceId, value: &Value) -> Result<Place, String> {
    if value["place"].as_u64() != Some(number as u64) {
        return Err("places are not numbered from 0 in order".to_owned());
    }
    let name = value["step"].as_str().unwrap_or_default();
    let kind = StepKind::of_name(name).ok_or_else(|| format!("{name:?} is no step"))?;
    let parent = value["in"].as_u64().map(|parent| parent as PlaceId);
    let parent = parent.filter(|&parent| parent < number || number == 0 && parent == 0);
    let parent = parent.ok_or("it is in no place that comes before it")?;
    let seen = |at: usize| value["seen"][at].as_u64().unwrap_or(0) as usize;
    let mut place = Place::new(kind, value["text"].as_str().unwrap_or_default(), parent);
    (place.n, place.n_parents, place.texts.n_chars) = (seen(0), seen(1), seen(2));
    place.is_merged = value["is_merged"] == true;
    Ok(place)
}

fn step_of_json(value: &Value, n_places: usize) -> Result<(PlaceId, u64), String> {
    let from = value[0]
        .as_u64()
        .map(|from| from as PlaceId)
        .filter(|&from| from < n_places);
    let from = from.ok_or_else(|| format!("{value} is no step from a place"))?;
    Ok((from, hash_of(value[1].as_str().unwrap_or_default())?))
}

fn role_of_json(value: &Value) -> Role {
    let rows = &value["rows"];
    match (&value["values"], &value["prose"], key_of(&rows["key"])) {
        _ if value["skip"] == true => Role::Skip,
        (.., Some(key)) => Role::Rows(Rows {
            key,
            own: field_of_json(&rows["values"]),
            is_flat: rows["is_flat"] == true,
            carried: key_of(&rows["carried"]),
            of_text: key_of(&rows["of_text"]),
        }),
        (field @ Value::Object(_), ..) => Role::Field(field_of_json(field)),
        (_, field @ Value::Object(_), _) => Role::Prose(field_of_json(field)),
        _ => Role::Open(key_of(&value["whole"])),
    }
}

fn key_of(value: &Value) -> Option<Arc<str>> {
    value.as_str().map(Arc::from)
}

fn field_of_json(value: &Value) -> Field {
    let parts = list(&value["parts"]).iter();
    Field {
        text: key_of(&value["text"]),
        link: key_of(&value["link"]),
        picture: key_of(&value["picture"]),
        links: key_of(&value["links"]),
        link_text: key_of(&value["link_text"]),
        later: key_of(&value["later"]),
        around: key_of(&value["before"]).zip(key_of(&value["after"])),
        parts: parts
            .filter_map(|part| Some((part[0].as_str()?.to_owned(), key_of(&part[1])?)))
            .collect(),
        template: template_of_json(&value["template"]),
    }
}

fn template_of_json(value: &Value) -> Option<(LineTemplate, Vec<Arc<str>>)> {
    let keys: Vec<Arc<str>> = list(&value["keys"]).iter().filter_map(key_of).collect();
    let before = list(&value["before"]).iter().filter_map(Value::as_str);
    let template = LineTemplate {
        before: before.map(str::to_owned).collect(),
        after: value["after"].as_str().unwrap_or_default().to_owned(),
    };
    (!keys.is_empty() && keys.len() == template.before.len()).then_some((template, keys))
}

fn info_of_json(value: &Value) -> FieldInfo {
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    FieldInfo {
        list_path: texts(&value["in_lists"]).map(Arc::from).collect(),
        key: text("key").into(),
        label: text("label"),
        context: texts(&value["context"]).map(str::to_owned).collect(),
        mark: text("mark"),
        tag: text("tag"),
        attribute: match value["attribute"].as_str() {
            Some("href") => Some("href"),
            Some("src") => Some("src"),
            _ => None,
        },
        is_prose: value["is_prose"] == true,
        is_heading: value["is_heading"] == true,
        is_reference: value["is_reference"] == true,
        is_list: value["is_list"] == true,
        beside: key_of(&value["beside"]),
    }
}
