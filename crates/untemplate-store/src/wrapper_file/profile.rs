//! Value profiles as JSON: `{"count": 10, "commonest": 1, "digit": 10, "lengths": […]}`; traits
//! that no value has are left out.

use serde_json::{Map, Value, json};
use untemplate::wrapper::{Spread, ValueProfile, ValueTrait};

/// Writes a profile.
pub(super) fn profile_to_json(profile: &ValueProfile) -> Value {
    let mut object = Map::new();
    object.insert("count".to_owned(), json!(profile.values));
    object.insert("commonest".to_owned(), json!(profile.commonest));
    let traits = ValueTrait::ALL.into_iter().zip(profile.traits);
    for (its, count) in traits.filter(|(_, count)| *count > 0) {
        object.insert(its.name().to_owned(), json!(count));
    }
    for (name, spread) in [("lengths", &profile.lengths), ("numbers", &profile.numbers)] {
        if spread.count > 0 {
            let Spread {
                count,
                least,
                middle,
                most,
            } = spread;
            object.insert(name.to_owned(), json!([count, least, middle, most]));
        }
    }
    Value::Object(object)
}

/// Reads a profile; what is not there is nothing.
pub(super) fn profile_of_json(value: &Value) -> ValueProfile {
    let count = |value: &Value| value.as_u64().and_then(|count| u32::try_from(count).ok()).unwrap_or(0);
    let spread = |value: &Value| {
        let number = |at: usize| value[at].as_f64().unwrap_or(0.0);
        Spread {
            count: count(&value[0]),
            least: number(1),
            middle: number(2),
            most: number(3),
        }
    };
    ValueProfile {
        values: count(&value["count"]),
        commonest: count(&value["commonest"]),
        traits: ValueTrait::ALL.map(|its| count(&value[its.name()])),
        lengths: spread(&value["lengths"]),
        numbers: spread(&value["numbers"]),
    }
}
