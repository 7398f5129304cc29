//! The generalisations of one address, from fine to coarse, to tell what a link leads to before it
//! is followed.

use url::Url;

use super::parts::UrlParts;
use super::words::without_numbers;

/// The generalisations of an address from fine to coarse. Who counts what addresses led to looks at
/// the finest that was seen often enough.
///
/// 1. The folder, the first and last word of the name, and the form between:
///    `tools/oak/wide*-plan.html`.
/// 2. The folder and the last word of the name; 3. the folder and the first word; 4. the folder; 5.
///    the first folder;
/// 6. the number of folders.
pub fn url_steps(url: &Url) -> [String; 6] {
    let parts = UrlParts::of(url);
    let (host, tail) = (parts.host, parts.tail());
    let (first, last) = (edge_word(parts.stem), last_word(parts.stem));
    let n_folders = parts.folders.len();
    let top = parts.folders.first().copied().unwrap_or("");
    let folder: String = parts.folders.iter().flat_map(|folder| ["/", folder]).collect();
    let numberless = without_numbers(&folder);
    [
        format!("1 {host}{folder}/{first}~{last}{tail}"),
        format!("2 {host}{folder}/~{last}{tail}"),
        format!("3 {host}{folder}/{first}~{tail}"),
        format!("4 {host}{numberless}/{tail}"),
        format!("5 {host}/{top}/ {n_folders}{tail}"),
        format!("6 {n_folders}{tail}"),
    ]
}

/// The first word of a name with the mark after it; numbers by form; empty where the name is one
/// word.
fn edge_word(stem: &str) -> String {
    let end = stem
        .find(|c: char| !c.is_alphanumeric())
        .map_or(0, |end| end + stem[end..].chars().next().map_or(0, char::len_utf8));
    without_numbers(&stem[..end])
}

/// The last word of a name with the mark before it, or the letters after its last number; numbers
/// by form.
fn last_word(stem: &str) -> String {
    let start = stem.rfind(|c: char| !c.is_alphanumeric());
    let word = start.map_or(stem, |start| &stem[start..]);
    let after_number = word.rfind(|c: char| c.is_ascii_digit());
    match (start, after_number) {
        (_, Some(digit)) if digit + 1 < word.len() => format!("#{}", &word[digit + 1..]),
        (None, Some(_)) => "#".to_owned(),
        (None, None) => String::new(),
        (Some(_), _) => without_numbers(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_steps(text: &str, expected: &[&str]) {
        assert_eq!(
            url_steps(&Url::parse(text).expect("a good address")),
            expected,
            "{text}"
        );
    }

    #[test]
    fn steps_go_from_fine_to_coarse() {
        check_steps(
            "http://a.example/lib/swing/big_band_9.html",
            &[
                "1 a.example/lib/swing/big_~_#.html",
                "2 a.example/lib/swing/~_#.html",
                "3 a.example/lib/swing/big_~.html",
                "4 a.example/lib/swing/.html",
                "5 a.example/lib/ 2.html",
                "6 2.html",
            ],
        );
        check_steps(
            "http://a.example/220rank.html",
            &[
                "1 a.example/~#rank.html",
                "2 a.example/~#rank.html",
                "3 a.example/~.html",
                "4 a.example/.html",
                "5 a.example// 0.html",
                "6 0.html",
            ],
        );
    }
}
