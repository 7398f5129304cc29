//! Addresses inside links: the shortest relative one, as editors of old wrote them.

/// The relative address of `target`, seen from the page `from`. Both are absolute paths, with or
/// without a query.
pub fn relative(from: &str, target: &str) -> String {
    let from = folder(from);
    let shared = from
        .split_inclusive('/')
        .zip(folder(target).split_inclusive('/'))
        .take_while(|(one, other)| one == other)
        .map(|(one, _)| one.len())
        .sum();
    let ups = from[shared..].matches('/').count();
    let address = "../".repeat(ups) + &target[shared..];
    if address.is_empty() { "./".to_owned() } else { address }
}

/// The path up to its last slash.
fn folder(path: &str) -> &str {
    let path = path.split('?').next().unwrap_or(path);
    &path[..path.rfind('/').map_or(0, |slash| slash + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_relative(from: &str, target: &str, expected: &str) {
        assert_eq!(relative(from, target), expected);
    }

    #[test]
    fn addresses_climb_as_little_as_they_can() {
        check_relative("/players/a-1.html", "/players/b-2.html", "b-2.html");
        check_relative("/players/a-1.html", "/teams/b-2.html", "../teams/b-2.html");
        check_relative("/players/by-initial/a.html", "/players/", "../");
        check_relative("/players/a-1.html", "/players/", "./");
        check_relative("/players/a-1.html", "/", "../");
        check_relative("/", "/", "./");
        check_relative("/matches.html?page=2", "/matches.html?page=3", "matches.html?page=3");
        check_relative("/news/", "/news/page/2.html", "page/2.html");
    }
}
