//! A workbook with a sheet for each table, as Excel and LibreOffice open it.
//!
//! Rows go to disk as they come. What a sheet cannot hold is not lost: rows beyond its million go
//! to a further sheet, numbers with more digits than a sheet keeps and dates before 1900 are texts.
//! A text beyond 32,767 characters is cut, with dots at its end.

use std::io;
use std::path::{Path, PathBuf};

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use untemplate::table::{ColumnKind, Database, Table};

use super::row::{Row, joined};

/// Rows of a sheet, with the row of names.
const SHEET_ROWS: u32 = 1_048_576;

/// Characters of a cell.
const CELL_CHARS: usize = 32_767;

/// Digits of a number that a sheet keeps.
const DIGITS: usize = 15;

/// Characters of a sheet's name.
const NAME_CHARS: usize = 31;

/// A workbook in the making.
pub(super) struct XlsxFile {
    path: PathBuf,
    workbook: Workbook,
    formats: Formats,
    sheets: Vec<Sheet>,
    names: Vec<String>,
}

struct Formats {
    head: Format,
    date: Format,
    moment: Format,
}

/// The sheet that takes the rows of a table now.
struct Sheet {
    index: usize,
    n_rows: u32,
    n_sheets: u32,
}

impl XlsxFile {
    /// A workbook with an empty sheet for each table.
    pub(super) fn create(path: &Path, database: &Database) -> io::Result<Self> {
        let mut workbook = Workbook::new();
        // The same tables are the same bytes: a time of our own would tell them apart.
        let epoch = ExcelDateTime::from_ymd(2000, 1, 1).map_err(failed)?;
        workbook.set_properties(&DocProperties::new().set_creation_datetime(&epoch));
        let mut own = Self {
            path: path.to_owned(),
            workbook,
            formats: Formats {
                head: Format::new().set_bold(),
                date: Format::new().set_num_format("yyyy-mm-dd"),
                moment: Format::new().set_num_format("yyyy-mm-dd hh:mm:ss"),
            },
            sheets: Vec::new(),
            names: Vec::new(),
        };
        for table in &database.tables {
            let index = own.add_sheet(table, &table.name)?;
            own.sheets.push(Sheet {
                index,
                n_rows: 1,
                n_sheets: 1,
            });
        }
        Ok(own)
    }

    /// Adds a sheet with the names of the columns, and returns its number.
    fn add_sheet(&mut self, table: &Table, name: &str) -> io::Result<usize> {
        let name = self.unique_name(name);
        let index = self.names.len();
        let sheet = self.workbook.add_worksheet_with_constant_memory().map_err(failed)?;
        sheet.set_name(&name).map_err(failed)?;
        sheet.set_freeze_panes(1, 0).map_err(failed)?;
        for (place, column) in (0..).zip(&table.columns) {
            sheet
                .write_string_with_format(0, place, &column.name, &self.formats.head)
                .map_err(failed)?;
        }
        self.names.push(name);
        Ok(index)
    }

    /// A name that no other sheet has, whatever its case, and that Excel allows.
    fn unique_name(&self, name: &str) -> String {
        let plain = |c: char| {
            if "[]:*?/\\'".contains(c) || c.is_control() {
                ' '
            } else {
                c
            }
        };
        let plain: String = name.chars().map(plain).collect();
        let cut = |chars: usize| plain.trim().chars().take(chars).collect::<String>();
        let is_taken = |name: &str| self.names.iter().any(|own| own.to_lowercase() == name.to_lowercase());
        let mut candidate = cut(NAME_CHARS);
        let mut number = 1;
        while candidate.is_empty() || is_taken(&candidate) {
            number += 1;
            candidate = format!("{} ({number})", cut(NAME_CHARS - 8));
        }
        candidate
    }

    /// Adds a row of a table.
    pub(super) fn push(&mut self, index: usize, table: &Table, row: Row<'_>) -> io::Result<()> {
        if self.sheets[index].n_rows >= SHEET_ROWS {
            self.sheets[index].n_sheets += 1;
            let name = format!("{} ({})", table.name, self.sheets[index].n_sheets);
            let next = self.add_sheet(table, &name)?;
            (self.sheets[index].index, self.sheets[index].n_rows) = (next, 1);
        }
        let own = &mut self.sheets[index];
        let sheet = self.workbook.worksheet_from_index(own.index).map_err(failed)?;
        for ((place, column), values) in (0..).zip(&table.columns).zip(row) {
            if let Some(text) = joined(values) {
                write_cell(sheet, (own.n_rows, place), column.kind, &text, &self.formats).map_err(failed)?;
            }
        }
        own.n_rows += 1;
        Ok(())
    }

    /// Writes the file.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.names.is_empty() {
            self.workbook.add_worksheet();
        }
        self.workbook.save(&self.path).map_err(failed)
    }
}

fn write_cell(
    sheet: &mut Worksheet,
    (row, place): (u32, u16),
    kind: ColumnKind,
    text: &str,
    formats: &Formats,
) -> Result<(), XlsxError> {
    let written = match kind {
        ColumnKind::Integer | ColumnKind::Decimal => match number(text) {
            Some(number) => sheet.write_number(row, place, number),
            None => return write_text(sheet, (row, place), text),
        },
        ColumnKind::Boolean if matches!(text, "true" | "false") => sheet.write_boolean(row, place, text == "true"),
        ColumnKind::Date => match ExcelDateTime::parse_from_str(text) {
            Ok(date) => sheet.write_datetime_with_format(row, place, &date, &formats.date),
            Err(_) => return write_text(sheet, (row, place), text),
        },
        // A sheet knows no offsets.
        ColumnKind::DateTime if text.len() == "2004-06-25T18:00:00".len() => {
            match ExcelDateTime::parse_from_str(text) {
                Ok(moment) => sheet.write_datetime_with_format(row, place, &moment, &formats.moment),
                Err(_) => return write_text(sheet, (row, place), text),
            }
        }
        _ => return write_text(sheet, (row, place), text),
    };
    written.map(drop)
}

fn write_text(sheet: &mut Worksheet, (row, place): (u32, u16), text: &str) -> Result<(), XlsxError> {
    if text.chars().count() <= CELL_CHARS {
        return sheet.write_string(row, place, text).map(drop);
    }
    let cut: String = text.chars().take(CELL_CHARS - 1).chain(['…']).collect();
    sheet.write_string(row, place, &cut).map(drop)
}

/// The number that a text is, where a sheet keeps all of it.
fn number(text: &str) -> Option<f64> {
    let n_digits = text.bytes().filter(u8::is_ascii_digit).count();
    text.parse()
        .ok()
        .filter(|number: &f64| n_digits <= DIGITS && number.is_finite())
}

fn failed(error: XlsxError) -> io::Error {
    match error {
        XlsxError::IoError(error) => error,
        other => io::Error::other(other.to_string()),
    }
}
