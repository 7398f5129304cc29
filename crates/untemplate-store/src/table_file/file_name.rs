//! Names of files: a table's name, with nothing in it that a folder could take amiss.

use untemplate::table::Table;

/// Characters of a name that are kept; with an ending and a mark it stays below what file systems
/// take.
const CHARS_MAX: usize = 60;

/// The name of a table's file, without its ending, where no other table's is the same.
pub(super) fn file_stem(name: &str) -> String {
    let safe = |c: char| {
        if c.is_alphanumeric() || c == '-' || c == '_' {
            c
        } else {
            '_'
        }
    };
    match name {
        "" => "table".to_owned(),
        name => name.chars().take(CHARS_MAX).map(safe).collect(),
    }
}

/// The names of the tables' files, without endings; unlike each other, whatever their case.
pub(super) fn file_names(tables: &[Table]) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(tables.len());
    for table in tables {
        let stem = file_stem(&table.name);
        let is_taken = |name: &str| names.iter().any(|other| other.to_lowercase() == name.to_lowercase());
        let mut name = stem.clone();
        let mut number = 1;
        while is_taken(&name) {
            number += 1;
            name = format!("{stem}_{number}");
        }
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::tests::table_named;
    use super::*;

    #[test]
    fn names_stay_in_their_folder_and_apart() {
        let long = "é".repeat(200);
        let tables = ["player", "../x", "Player", "", "a b", "a/b", &long].map(table_named);
        let names = file_names(&tables);
        assert_eq!(names[..6], ["player", "___x", "Player_2", "table", "a_b", "a_b_2"]);
        assert_eq!(names[6].chars().count(), CHARS_MAX);
    }
}
