//! Invented names: people, towns, clubs and countries, put together from syllables.

use super::random::Random;

const FIRST_STARTS: [&str; 26] = [
    "A", "Be", "Ca", "Da", "E", "Fa", "Gi", "Ha", "I", "Jo", "Ka", "Lu", "Ma", "Ne", "O", "Pe", "Qui", "Ra", "Sa",
    "Ti", "U", "Vi", "We", "Xa", "Yo", "Ze",
];
const FIRST_MIDDLES: [&str; 12] = ["l", "n", "r", "v", "d", "m", "lm", "nd", "rl", "st", "br", "ss"];
const FIRST_ENDS: [&str; 11] = ["a", "o", "in", "en", "is", "ia", "on", "ek", "ya", "ör", "é"];

const LAST_STARTS: [&str; 26] = [
    "Ab", "Bor", "Cal", "Del", "Er", "Fen", "Gor", "Hal", "Is", "Jar", "Kel", "Lor", "Mar", "Nor", "Ol", "Pel", "Quar",
    "Ros", "Sal", "Tor", "Ul", "Vel", "Wol", "Xan", "Yar", "Zol",
];
const LAST_MIDDLES: [&str; 12] = ["", "a", "e", "i", "o", "ava", "eri", "ono", "ü", "ami", "ela", "ori"];
const LAST_ENDS: [&str; 14] = [
    "de", "ski", "lund", "mor", "quist", "nez", "kov", "ran", "ñe", "beck", "tan", "dis", "vik", "ssen",
];

const TOWN_STARTS: [&str; 30] = [
    "Al", "Bran", "Cor", "Dun", "Esk", "Fal", "Grim", "Har", "Il", "Jun", "Kir", "Lan", "Mor", "Nar", "Or", "Pen",
    "Quil", "Ral", "Sten", "Tur", "Ulv", "Var", "Wen", "Xer", "Yul", "Zan", "Thor", "Cre", "Blo", "Gla",
];
const TOWN_MIDDLES: [&str; 22] = [
    "", "a", "e", "i", "o", "an", "el", "er", "in", "on", "ar", "ola", "ima", "eva", "uri", "ené", "abo", "ido", "um",
    "ist", "ond", "ask",
];
const TOWN_ENDS: [&str; 14] = [
    "holm", "stad", "wick", "dale", "ford", "berg", "minster", "mouth", "ville", "grad", "port", "by", "mark", "gate",
];
const TOWN_PREFIXES: [&str; 6] = ["", "New ", "Old ", "Upper ", "Lower ", "Great "];

/// Invented countries.
pub const COUNTRIES: [&str; 12] = [
    "Valmora",
    "Estrania",
    "Korvia",
    "Lusavia",
    "Norvane Isles",
    "Ostrelle Republic",
    "Pelluria",
    "Quellin",
    "Rhosavia",
    "Soltara",
    "Tirenza",
    "Zemora Coast",
];

/// Nicknames, with their article.
pub const NICKNAMES: [&str; 16] = [
    "The Wall",
    "Rocket",
    "The Professor",
    "Silent Fox",
    "Hammer",
    "Little Storm",
    "The Octopus",
    "Captain Calm",
    "Flash",
    "The Postman",
    "Iron Boots",
    "Magpie",
    "The Clockmaker",
    "Sunny",
    "Old Oak",
    "The Comet",
];

/// Colours of shirts.
pub const COLOURS: [&str; 12] = [
    "red and white",
    "blue",
    "green and black",
    "yellow and blue",
    "claret",
    "white",
    "orange and grey",
    "black and gold",
    "sky blue and navy",
    "purple",
    "red and black",
    "emerald",
];

/// A given name.
pub fn first_name(random: &mut Random) -> String {
    [
        *random.pick(&FIRST_STARTS),
        *random.pick(&FIRST_MIDDLES),
        *random.pick(&FIRST_ENDS),
    ]
    .concat()
}

/// A family name; early letters are more common than late ones, as in life some initials are.
pub fn last_name(random: &mut Random) -> String {
    let start = random.below(26).min(random.below(26)) as usize;
    [
        LAST_STARTS[start],
        *random.pick(&LAST_MIDDLES),
        *random.pick(&LAST_ENDS),
    ]
    .concat()
}

/// Given name and family name.
pub fn full_name(random: &mut Random) -> String {
    let first = first_name(random);
    format!("{first} {}", last_name(random))
}

/// The town with this number: different numbers give different towns.
pub fn town(number: u32, seed: u64) -> String {
    let total = u32::try_from(TOWN_STARTS.len() * TOWN_MIDDLES.len() * TOWN_ENDS.len()).expect("a few thousand");
    // 4,649 is a prime that does not divide the total, so the walk meets every town before it
    // repeats.
    let offset = Random::new(seed, "towns").below(total);
    let place = (number % total * 4649 % total + offset) % total;
    let (start, rest) = (place as usize % TOWN_STARTS.len(), place as usize / TOWN_STARTS.len());
    let (middle, end) = (rest % TOWN_MIDDLES.len(), rest / TOWN_MIDDLES.len());
    let name = [TOWN_STARTS[start], TOWN_MIDDLES[middle], TOWN_ENDS[end]].concat();
    let again = (number / total) as usize;
    match TOWN_PREFIXES.get(again) {
        Some(prefix) => format!("{prefix}{name}"),
        None => format!("{name} {again}"),
    }
}

/// The name of a club in a town.
pub fn club(town: &str, random: &mut Random) -> String {
    match random.below(7) {
        0 => format!("FC {town}"),
        1 => format!("{town} United"),
        2 => format!("{town} Rovers"),
        3 => format!("Sporting {town}"),
        4 => format!("{town} Athletic"),
        5 => format!("Dynamo {town}"),
        _ => format!("{town} & District"),
    }
}

/// A name as part of an address: small letters, digits and hyphens.
pub fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for letter in name.chars() {
        let letter = plain_letter(letter).to_ascii_lowercase();
        if letter.is_ascii_alphanumeric() {
            slug.push(letter);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// The text in small letters without accents, as the site's search compares it.
pub fn folded(text: &str) -> String {
    text.chars().map(plain_letter).flat_map(char::to_lowercase).collect()
}

/// A letter without its accent, for the few accents that the syllables have.
fn plain_letter(letter: char) -> char {
    match letter {
        'ö' => 'o',
        'é' => 'e',
        'ü' => 'u',
        'ñ' => 'n',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn towns_never_repeat() {
        let towns: BTreeSet<String> = (0..20_000).map(|number| town(number, 1)).collect();
        assert_eq!(towns.len(), 20_000);
    }

    #[test]
    fn slugs_are_plain() {
        assert_eq!(slug("Eskenéby & District"), "eskeneby-district");
    }
}
