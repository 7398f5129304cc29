//! Frames: what pages put around every value, such as the name of the site in titles.

/// What all titles of a class begin and end with: `Ada | The Site` and `Bo | The Site` end with ` |
/// The Site`.
pub(super) fn title_frame<'a>(titles: impl Iterator<Item = &'a str>) -> (String, String) {
    let titles: std::collections::BTreeSet<&str> = titles.collect();
    let mut titles = titles.into_iter();
    let (Some(first), Some(second)) = (titles.next(), titles.next()) else {
        return (String::new(), String::new());
    };
    let (mut before, mut after) = (common_start(first, second), common_end(first, second));
    for title in titles {
        before = common_start(before, title);
        after = common_end(after, title);
    }
    // A frame ends where a mark stands: titles may begin with the same words by chance.
    let end = before
        .rfind(is_joint)
        .map_or(0, |place| place + joint_length(before, place));
    let start = after.find(is_joint).unwrap_or(after.len());
    let (before, after) = (&before[..end], &after[start..]);
    let overlaps = before.len() + after.len() >= first.len();
    let kept = |frame: &str| match frame.chars().filter(|c| c.is_alphanumeric()).count() {
        2.. if !overlaps => frame.to_owned(),
        _ => String::new(),
    };
    (kept(before), kept(after))
}

fn is_joint(c: char) -> bool {
    matches!(c, '|' | ':' | '-' | '–' | '—' | '»' | '«' | '•' | '·' | '>' | '<' | '/')
}

fn joint_length(text: &str, place: usize) -> usize {
    text[place..].chars().next().map_or(0, char::len_utf8)
}

fn common_start<'a>(one: &'a str, other: &str) -> &'a str {
    let end = one.char_indices().zip(other.chars()).find(|((_, c), other)| c != other);
    match end {
        Some(((end, _), _)) => &one[..end],
        None => &one[..one.len().min(other.len())],
    }
}

fn common_end<'a>(one: &'a str, other: &str) -> &'a str {
    let mut start = one.len();
    for ((place, c), other) in one.char_indices().rev().zip(other.chars().rev()) {
        if c != other {
            break;
        }
        start = place;
    }
    &one[start..]
}

/// What stands before, between and after some texts in a text.
pub(super) fn frame_of<'a>(text: &'a str, parts: &[&str]) -> Option<Vec<&'a str>> {
    let mut frame = Vec::new();
    let mut rest = text;
    for part in parts {
        let place = rest.find(part)?;
        frame.push(&rest[..place]);
        rest = &rest[place + part.len()..];
    }
    frame.push(rest);
    Some(frame)
}

/// Whether a text is some texts within a frame.
pub(super) fn fits(text: &str, frame: &[&str], parts: &[&str]) -> bool {
    let mut rest = text;
    for (before, part) in frame.iter().zip(parts) {
        let Some(next) = rest.strip_prefix(before).and_then(|rest| rest.strip_prefix(part)) else {
            return false;
        };
        rest = next;
    }
    frame.last() == Some(&rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check_frame(titles: &[&str], expected: Expect) {
        expected.assert_eq(&format!("{:?}", title_frame(titles.iter().copied())));
    }

    #[test]
    fn the_name_of_the_site_is_no_part_of_a_title() {
        check_frame(&["Ada | The Site", "Bo | The Site"], expect![[r#"("", "| The Site")"#]]);
        check_frame(
            &["The Site :: Ada", "The Site :: Bo"],
            expect![[r#"("The Site ::", "")"#]],
        );
        check_frame(&["Ada Green", "Bo Green"], expect![[r#"("", "")"#]]);
        check_frame(&["Ada", "Ada"], expect![[r#"("", "")"#]]);
    }
}
