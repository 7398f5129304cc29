//! The compact protocol of Thrift, as far as Parquet's headers need it: structs of numbers, texts,
//! lists and structs.

/// Writes one struct after the other; fields are told by the distance of their numbers.
#[derive(Debug, Default)]
pub struct Thrift {
    bytes: Vec<u8>,
    /// The last field number of each open struct.
    last: Vec<i16>,
}

/// Types of fields, as the protocol numbers them; truth values have no bytes but these.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Thrift {
    /// A writer with one struct open.
    pub fn new() -> Self {
        Self {
            bytes: Vec::new(),
            last: vec![0],
        }
    }

    /// A truth value.
    pub fn boolean(&mut self, field: i16, value: bool) -> &mut Self {
        self.header(field, if value { TRUE } else { FALSE });
        self
    }

    /// A 32-bit number.
    pub fn i32(&mut self, field: i16, value: i32) -> &mut Self {
        self.header(field, I32);
        self.zigzag(i64::from(value));
        self
    }

    /// A 64-bit number.
    pub fn i64(&mut self, field: i16, value: i64) -> &mut Self {
        self.header(field, I64);
        self.zigzag(value);
        self
    }

    /// A text.
    pub fn text(&mut self, field: i16, value: &str) -> &mut Self {
        self.header(field, BINARY);
        self.push_text(value);
        self
    }

    /// A list of 32-bit numbers.
    pub fn i32s(&mut self, field: i16, values: &[i32]) -> &mut Self {
        self.list(field, I32, values.len());
        for &value in values {
            self.zigzag(i64::from(value));
        }
        self
    }

    /// A list of texts.
    pub fn texts(&mut self, field: i16, values: &[&str]) -> &mut Self {
        self.list(field, BINARY, values.len());
        for value in values {
            self.push_text(value);
        }
        self
    }

    /// A struct, whose fields `fill` writes.
    pub fn structure(&mut self, field: i16, fill: impl FnOnce(&mut Self)) -> &mut Self {
        self.header(field, STRUCT);
        self.element(fill);
        self
    }

    /// A list of structs, each written by `fill`.
    pub fn structures<T>(&mut self, field: i16, items: &[T], mut fill: impl FnMut(&mut Self, &T)) -> &mut Self {
        self.list(field, STRUCT, items.len());
        for item in items {
            self.element(|thrift| fill(thrift, item));
        }
        self
    }

    /// The bytes, with the outer struct ended.
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }

    fn element(&mut self, fill: impl FnOnce(&mut Self)) {
        self.last.push(0);
        fill(self);
        self.last.pop();
        self.bytes.push(0);
    }

    /// All fields here are written in order and lie at most 15 apart.
    fn header(&mut self, field: i16, kind: u8) {
        let last = self.last.last_mut().expect("a struct is open");
        self.bytes.push(((field - *last) as u8) << 4 | kind);
        *last = field;
    }

    fn list(&mut self, field: i16, kind: u8, length: usize) {
        self.header(field, LIST);
        if length < 15 {
            self.bytes.push((length as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            push_varint(length as u64, &mut self.bytes);
        }
    }

    fn push_text(&mut self, value: &str) {
        push_varint(value.len() as u64, &mut self.bytes);
        self.bytes.extend_from_slice(value.as_bytes());
    }

    fn zigzag(&mut self, value: i64) {
        push_varint((value << 1 ^ value >> 63) as u64, &mut self.bytes);
    }
}

/// Appends a number, seven bits a byte, the lowest first.
pub fn push_varint(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
