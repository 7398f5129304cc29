//! Header lines, `Name: value`, as records and HTTP messages both have them.

/// Header lines in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Headers {
    lines: Vec<(String, String)>,
}

impl Headers {
    /// Reads the lines after the first one. A line that begins with a blank continues the one
    /// before it; what is no header is passed over, as browsers do.
    pub(super) fn read(head: &[u8]) -> Self {
        let mut lines: Vec<(String, String)> = Vec::new();
        for line in head.split(|byte| *byte == b'\n').skip(1) {
            let line = String::from_utf8_lossy(line);
            let continues = line.starts_with([' ', '\t']);
            match (lines.last_mut(), line.split_once(':')) {
                (Some((_, value)), _) if continues => {
                    value.push(' ');
                    value.push_str(line.trim());
                }
                (_, Some((name, value))) => lines.push((name.trim().to_owned(), value.trim().to_owned())),
                _ => {}
            }
        }
        Self { lines }
    }

    /// The value of the first header of this name, in whatever case it is written.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// The values of all headers of this name.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let is_named = move |line: &&(String, String)| line.0.eq_ignore_ascii_case(name);
        self.lines.iter().filter(is_named).map(|(_, value)| value.as_str())
    }
}

/// Where a head ends and what follows begins: after the first empty line.
pub(super) fn head_end(bytes: &[u8]) -> Option<usize> {
    let mut line_begin = 0;
    for (index, byte) in bytes.iter().enumerate() {
        if *byte == b'\n' {
            if matches!(&bytes[line_begin..index], b"" | b"\r") && line_begin > 0 {
                return Some(index + 1);
            }
            line_begin = index + 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_written() {
        let headers = Headers::read(b"HTTP/1.1 200 OK\r\nA: 1\r\n two\r\nno header\r\na:3 \r\n\r\n");
        assert_eq!(headers.all("a").collect::<Vec<_>>(), ["1 two", "3"]);
        assert_eq!(headers.get("no header"), None);
    }

    #[test]
    fn a_head_ends_with_an_empty_line() {
        assert_eq!(head_end(b"WARC/1.0\r\nA: 1\r\n\r\nrest"), Some(18));
        assert_eq!(head_end(b"WARC/1.0\nA: 1\n\nrest"), Some(15));
        assert_eq!(head_end(b"WARC/1.0\r\n\r\n"), Some(12));
        assert_eq!(head_end(b"WARC/1.0\r\nA: 1\r\n"), None);
    }
}
