//! The shape of addresses: what those of one kind share.

use url::Url;

/// What addresses of one kind share: host, folders, the file's ending, the query's keys. The last segment is what varies.
pub(crate) fn shape(url: &Url) -> String {
    let path = url.path();
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    let keys: Vec<String> = url.query_pairs().map(|(key, _)| key.into_owned()).collect();
    let file = if keys.is_empty() { "" } else { file };
    format!("{}{folder}/{file}.{ending}?{}", url.authority(), keys.join("&"))
}

/// How many shapes addresses have.
pub(crate) fn n_shapes(addresses: &[Url]) -> usize {
    let mut shapes: Vec<String> = addresses.iter().map(shape).collect();
    shapes.sort_unstable();
    shapes.dedup();
    shapes.len()
}
