//! Pictures of views, compared with how the views looked when somebody last looked at them.
//!
//! What is kept of a picture is the lightness of a grid of places, in `tests/screens/NAME.txt`, a
//! line for each form of the view. It stays nearly the same with other fonts, dates and numbers,
//! and does not without its style, in the wrong scheme, or with parts missing or in other places.
//! `UPDATE_EXPECT=1` keeps what is seen.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Places in a row and in a column.
pub const PLACES: (usize, usize) = (24, 15);

/// The difference of lightness, of 255, that all places together may have on average.
const MEAN_MAX: f64 = 9.0;

/// The difference from which on a place is another one, and the share of places that may be.
const OTHER: u8 = 56;
const OTHER_SHARE_MAX: f64 = 0.08;

/// An expression that gives the lightness of the places of a picture, as hexadecimal digits.
pub fn lightness_of(png: &str) -> String {
    let (columns, rows) = PLACES;
    format!(
        "(async () => {{ const bytes = Uint8Array.from(atob({png:?}), c => c.charCodeAt(0)); \
         const picture = await createImageBitmap(new Blob([bytes], {{type: 'image/png'}})); \
         const small = new OffscreenCanvas({columns}, {rows}).getContext('2d', {{willReadFrequently: true}}); \
         small.imageSmoothingQuality = 'high'; small.drawImage(picture, 0, 0, {columns}, {rows}); \
         const data = small.getImageData(0, 0, {columns}, {rows}).data; let digits = ''; \
         for (let at = 0; at < data.length; at += 4) digits += \
         Math.round(0.3 * data[at] + 0.6 * data[at + 1] + 0.1 * data[at + 2]).toString(16).padStart(2, '0'); \
         return digits; }})()"
    )
}

/// Compares a form of a view with how it looked; the first difference that is too large ends the
/// test.
pub fn check(name: &str, form: &str, lightness: &str) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/screens/{name}.txt"));
    let text = fs::read_to_string(&file).unwrap_or_default();
    let mut kept: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(' ')).collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        kept.insert(form, lightness);
        let lines: String = kept.iter().map(|(form, digits)| format!("{form} {digits}\n")).collect();
        fs::create_dir_all(file.parent().expect("it is in a folder")).expect("the folder can be made");
        return fs::write(file, lines).expect("the picture can be kept");
    }
    let advice = "look at target/screens, and keep it with UPDATE_EXPECT=1";
    let own = kept
        .get(form)
        .unwrap_or_else(|| panic!("{name}-{form} is new; {advice}"));
    let (mean, share) = difference(&places(own), &places(lightness));
    assert!(
        mean <= MEAN_MAX && share <= OTHER_SHARE_MAX,
        "{name}-{form} looks otherwise: {mean:.1} on average, {:.0} % of the places; {advice}",
        share * 100.0
    );
}

fn places(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks_exact(2);
    let number = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap_or("0"), 16).unwrap_or(0);
    pairs.map(number).collect()
}

/// The mean difference, and the share of places that are other ones.
fn difference(left: &[u8], right: &[u8]) -> (f64, f64) {
    let n_places = (PLACES.0 * PLACES.1) as f64;
    assert_eq!((left.len(), right.len()), (PLACES.0 * PLACES.1, PLACES.0 * PLACES.1));
    let differences = || left.iter().zip(right).map(|(left, right)| left.abs_diff(*right));
    let sum: f64 = differences().map(f64::from).sum();
    let n_other = differences().filter(|difference| *difference >= OTHER).count();
    (sum / n_places, n_other as f64 / n_places)
}
