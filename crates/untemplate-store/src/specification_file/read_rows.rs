//! Reading rows: tables and lists that are read row by row.

use untemplate::rule::Trim;
use untemplate::teach::{GridColumn, RowField, TaughtRows};

use super::element::{Element, SpecificationTextError};
use super::read::is_optional;
use super::read_rule::{location_path, number};

/// Rows, with what is read in each.
pub(super) fn rows(element: &Element) -> Result<TaughtRows, SpecificationTextError> {
    element.expect(&["name", "optional"], &["xpath", "field"])?;
    let path = element
        .one("xpath")?
        .ok_or_else(|| element.wrong("rows need an <xpath> that selects them"))?;
    Ok(TaughtRows {
        name: element.needed("name")?.to_owned(),
        is_optional: is_optional(element)?,
        path: location_path(path)?,
        fields: element.all("field").map(row_field).collect::<Result<_, _>>()?,
    })
}

fn row_field(element: &Element) -> Result<RowField, SpecificationTextError> {
    element.expect(&["name", "column", "header"], &["xpath", "prefix", "suffix"])?;
    let header = element.attribute("header").map(str::to_owned);
    let number: Option<u32> = number(element, "column")?;
    let column = match (number, header) {
        (Some(0), _) => return Err(element.wrong("columns are counted from 1")),
        (Some(number), header) => Some(GridColumn { number, header }),
        (None, Some(_)) => return Err(element.wrong("a header stands above a column; give its number as well")),
        (None, None) => None,
    };
    let text = |name| Ok(element.one(name)?.map_or("".into(), |child| child.text.as_str().into()));
    Ok(RowField {
        name: element.needed("name")?.to_owned(),
        column,
        path: element.one("xpath")?.map(location_path).transpose()?,
        trim: Trim {
            prefix: text("prefix")?,
            suffix: text("suffix")?,
        },
    })
}
