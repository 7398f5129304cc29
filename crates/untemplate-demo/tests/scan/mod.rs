//! Just enough reading of pages to test them: links, counts, sums, texts.

#![allow(dead_code, reason = "each test reads pages in its own way")]

/// Counts the places where `needle` stands.
pub fn count(text: &str, needle: &str) -> usize {
    text.matches(needle).count()
}

/// Continues a hash with more text.
pub fn hash(sum: u64, text: &str) -> u64 {
    text.bytes().fold(sum ^ 0xCBF2_9CE4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// The addresses of all links of a page, unescaped; forms' targets count as links.
pub fn links(body: &str) -> Vec<String> {
    let mut found = Vec::new();
    for opening in [" href=\"", " HREF=\"", " action=\"", " ACTION=\""] {
        let parts = body.split(opening).skip(1);
        found.extend(
            parts
                .filter_map(|rest| rest.split('"').next())
                .map(|address| address.replace("&amp;", "&")),
        );
    }
    found
}

/// Resolves an address of the site against the path of its page.
pub fn resolve(path: &str, address: &str) -> String {
    if address.starts_with('/') {
        return address.to_owned();
    }
    let path = path.split('?').next().unwrap_or_default();
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    let (address, query) = address
        .split_once('?')
        .map_or((address, None), |(address, query)| (address, Some(query)));
    let mut steps: Vec<&str> = address.split('/').collect();
    let last = steps.pop().unwrap_or_default();
    for step in steps {
        match step {
            ".." => drop(folders.pop()),
            "." => {}
            step => folders.push(step),
        }
    }
    folders.push(last);
    let target = folders.join("/");
    query.map_or(target.clone(), |query| format!("{target}?{query}"))
}

/// What a reader takes in: texts without their mark-up, a blank where a block ends, single blanks.
pub fn text_of(body: &str) -> String {
    let mut text = String::new();
    for (index, part) in body.split('<').enumerate() {
        let (tag, after) = if index == 0 {
            ("", part)
        } else {
            part.split_once('>').unwrap_or((part, ""))
        };
        let is_block = ["/p", "/li", "/td", "/th", "/dd", "/dt", "/h", "/t", "br", "/div"];
        if is_block.iter().any(|block| tag.starts_with(block)) {
            text.push(' ');
        }
        text.push_str(after);
    }
    let text = text
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
