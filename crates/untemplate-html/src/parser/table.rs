//! Insertion modes of tables: what may stand in them, and what is put before them.
//!
//! HTML standard, 13.2.6.4.9 to 13.2.6.4.15.

use super::super::name::Name;
use super::builder::{Mode, Step, TreeBuilder};
use super::stack::Scope;
use super::token::Token;

const BODIES: [Name; 3] = [Name::TBODY, Name::TFOOT, Name::THEAD];

impl TreeBuilder<'_> {
    pub(super) fn in_table(&mut self, token: Token) -> Step {
        match token {
            Token::Characters(_) | Token::Null if self.current_takes_table_text() => {
                self.original_mode = self.mode;
                self.mode = Mode::InTableText;
                Step::Again
            }
            Token::StartTag => self.table_start_tag(token),
            Token::EndTag => match self.tag_name() {
                Name::TABLE => {
                    if self.in_scope(Scope::Table, Name::TABLE) {
                        self.pop_until_named(Name::TABLE);
                        self.reset_mode();
                    }
                    Step::Done
                }
                Name::BODY
                | Name::CAPTION
                | Name::COL
                | Name::COLGROUP
                | Name::HTML
                | Name::TBODY
                | Name::TD
                | Name::TFOOT
                | Name::TH
                | Name::THEAD
                | Name::TR => Step::Done,
                Name::TEMPLATE => self.end_template(),
                _ => self.foster(token),
            },
            Token::End => self.in_body(token),
            _ => self.foster(token),
        }
    }

    fn current_takes_table_text(&self) -> bool {
        self.current_is_any(&[
            Name::TABLE,
            Name::TBODY,
            Name::TEMPLATE,
            Name::TFOOT,
            Name::THEAD,
            Name::TR,
        ])
    }

    fn table_start_tag(&mut self, token: Token) -> Step {
        let name = self.tag_name();
        match name {
            Name::TBODY | Name::TFOOT | Name::THEAD => self.open_in_table(Mode::InTableBody),
            Name::TD | Name::TH | Name::TR => self.imply_in_table(Name::TBODY, Mode::InTableBody),
            Name::CAPTION => {
                self.clear_back_to(&[Name::TABLE]);
                self.push_marker();
                self.insert_tag();
                self.mode = Mode::InCaption;
                Step::Done
            }
            Name::COLGROUP => self.open_in_table(Mode::InColumnGroup),
            Name::COL => self.imply_in_table(Name::COLGROUP, Mode::InColumnGroup),
            Name::TABLE => {
                if !self.in_scope(Scope::Table, Name::TABLE) {
                    return Step::Done;
                }
                self.pop_until_named(Name::TABLE);
                self.reset_mode();
                Step::Again
            }
            Name::STYLE | Name::SCRIPT | Name::TEMPLATE => self.head_start_tag(name),
            Name::INPUT if self.tag_is_hidden() => {
                self.insert_void_tag();
                Step::Done
            }
            Name::FORM => {
                if self.form.is_none() && !self.is_open(Name::TEMPLATE) {
                    self.form = Some(self.insert_tag());
                    self.stack.pop();
                }
                Step::Done
            }
            _ => self.foster(token),
        }
    }

    /// Whether the tag is an input that nobody sees.
    pub(super) fn tag_is_hidden(&self) -> bool {
        let kind = self.tokenizer.tag.attribute(Name::TYPE);
        kind.is_some_and(|kind| self.text(kind).eq_ignore_ascii_case("hidden"))
    }

    fn open_in_table(&mut self, mode: Mode) -> Step {
        self.clear_back_to(&[Name::TABLE]);
        self.insert_tag();
        self.mode = mode;
        Step::Done
    }

    fn imply_in_table(&mut self, name: Name, mode: Mode) -> Step {
        self.clear_back_to(&[Name::TABLE]);
        self.insert_implied(name);
        self.mode = mode;
        Step::Again
    }

    /// Content that may not stand in a table is put before it.
    fn foster(&mut self, token: Token) -> Step {
        self.foster_parenting = true;
        let step = self.in_body(token);
        self.foster_parenting = false;
        step
    }

    pub(super) fn in_table_text(&mut self, token: Token) -> Step {
        match token {
            Token::Null => Step::Done,
            Token::Characters(span) => {
                self.table_text.push(span);
                Step::Done
            }
            _ => {
                self.flush_table_text();
                Step::Again
            }
        }
    }

    /// Puts the text collected in a table where it goes: white space inside, anything else before.
    pub(super) fn flush_table_text(&mut self) {
        self.mode = self.original_mode;
        let texts = std::mem::take(&mut self.table_text);
        let is_space = texts.iter().all(|&span| self.is_white_space(span));
        for &span in &texts {
            if is_space {
                self.insert_characters(span);
            } else {
                self.foster(Token::Characters(span));
            }
        }
        self.table_text = texts;
        self.table_text.clear();
    }

    pub(super) fn in_caption(&mut self, token: Token) -> Step {
        match token {
            Token::StartTag if is_table_part(self.tag_name()) => self.end_caption(Step::Again),
            Token::EndTag => match self.tag_name() {
                Name::CAPTION => self.end_caption(Step::Done),
                Name::TABLE => self.end_caption(Step::Again),
                Name::BODY
                | Name::COL
                | Name::COLGROUP
                | Name::HTML
                | Name::TBODY
                | Name::TD
                | Name::TFOOT
                | Name::TH
                | Name::THEAD
                | Name::TR => Step::Done,
                _ => self.in_body(token),
            },
            _ => self.in_body(token),
        }
    }

    fn end_caption(&mut self, then: Step) -> Step {
        if !self.in_scope(Scope::Table, Name::CAPTION) {
            return Step::Done;
        }
        self.close_implied(None);
        self.pop_until_named(Name::CAPTION);
        self.clear_formatting_to_marker();
        self.mode = Mode::InTable;
        then
    }

    pub(super) fn in_column_group(&mut self, token: Token) -> Step {
        match token {
            Token::Characters(span) if self.is_white_space(span) => {
                self.insert_characters(span);
                return Step::Done;
            }
            Token::StartTag => match self.tag_name() {
                Name::HTML => return self.in_body(token),
                Name::COL => {
                    self.insert_void_tag();
                    return Step::Done;
                }
                Name::TEMPLATE => return self.head_start_tag(Name::TEMPLATE),
                _ => {}
            },
            Token::EndTag => match self.tag_name() {
                Name::COLGROUP => {
                    if self.current_is(Name::COLGROUP) {
                        self.pop();
                        self.mode = Mode::InTable;
                    }
                    return Step::Done;
                }
                Name::COL => return Step::Done,
                Name::TEMPLATE => return self.end_template(),
                _ => {}
            },
            Token::End => return self.in_body(token),
            _ => {}
        }
        if !self.current_is(Name::COLGROUP) {
            return Step::Done;
        }
        self.pop();
        self.mode = Mode::InTable;
        Step::Again
    }

    pub(super) fn in_table_body(&mut self, token: Token) -> Step {
        match token {
            Token::StartTag => match self.tag_name() {
                Name::TR => {
                    self.clear_back_to(&BODIES);
                    self.insert_tag();
                    self.mode = Mode::InRow;
                    Step::Done
                }
                Name::TD | Name::TH => {
                    self.clear_back_to(&BODIES);
                    self.insert_implied(Name::TR);
                    self.mode = Mode::InRow;
                    Step::Again
                }
                Name::CAPTION | Name::COL | Name::COLGROUP | Name::TBODY | Name::TFOOT | Name::THEAD => {
                    self.end_table_body(Step::Again)
                }
                _ => self.in_table(token),
            },
            Token::EndTag => match self.tag_name() {
                name @ (Name::TBODY | Name::TFOOT | Name::THEAD) if self.in_scope(Scope::Table, name) => {
                    self.end_table_body(Step::Done)
                }
                Name::TABLE => self.end_table_body(Step::Again),
                Name::TBODY
                | Name::TFOOT
                | Name::THEAD
                | Name::BODY
                | Name::CAPTION
                | Name::COL
                | Name::COLGROUP
                | Name::HTML
                | Name::TD
                | Name::TH
                | Name::TR => Step::Done,
                _ => self.in_table(token),
            },
            _ => self.in_table(token),
        }
    }

    fn end_table_body(&mut self, then: Step) -> Step {
        if !BODIES.iter().any(|&name| self.in_scope(Scope::Table, name)) {
            return Step::Done;
        }
        self.clear_back_to(&BODIES);
        self.pop();
        self.mode = Mode::InTable;
        then
    }

    pub(super) fn in_row(&mut self, token: Token) -> Step {
        match token {
            Token::StartTag => match self.tag_name() {
                Name::TD | Name::TH => {
                    self.clear_back_to(&[Name::TR]);
                    self.insert_tag();
                    self.mode = Mode::InCell;
                    self.push_marker();
                    Step::Done
                }
                Name::CAPTION | Name::COL | Name::COLGROUP | Name::TBODY | Name::TFOOT | Name::THEAD | Name::TR => {
                    self.end_row(Step::Again)
                }
                _ => self.in_table(token),
            },
            Token::EndTag => match self.tag_name() {
                Name::TR => self.end_row(Step::Done),
                Name::TABLE => self.end_row(Step::Again),
                name @ (Name::TBODY | Name::TFOOT | Name::THEAD) if self.in_scope(Scope::Table, name) => {
                    self.end_row(Step::Again)
                }
                Name::TBODY
                | Name::TFOOT
                | Name::THEAD
                | Name::BODY
                | Name::CAPTION
                | Name::COL
                | Name::COLGROUP
                | Name::HTML
                | Name::TD
                | Name::TH => Step::Done,
                _ => self.in_table(token),
            },
            _ => self.in_table(token),
        }
    }

    fn end_row(&mut self, then: Step) -> Step {
        if !self.in_scope(Scope::Table, Name::TR) {
            return Step::Done;
        }
        self.clear_back_to(&[Name::TR]);
        self.pop();
        self.mode = Mode::InTableBody;
        then
    }

    pub(super) fn in_cell(&mut self, token: Token) -> Step {
        match token {
            Token::StartTag if is_table_part(self.tag_name()) => self.end_cell(),
            Token::EndTag => match self.tag_name() {
                name @ (Name::TD | Name::TH) => {
                    if self.in_scope(Scope::Table, name) {
                        self.close_implied(None);
                        self.pop_until_named(name);
                        self.clear_formatting_to_marker();
                        self.mode = Mode::InRow;
                    }
                    Step::Done
                }
                Name::BODY | Name::CAPTION | Name::COL | Name::COLGROUP | Name::HTML => Step::Done,
                name @ (Name::TABLE | Name::TBODY | Name::TFOOT | Name::THEAD | Name::TR) => {
                    if self.in_scope(Scope::Table, name) {
                        self.end_cell()
                    } else {
                        Step::Done
                    }
                }
                _ => self.in_body(token),
            },
            _ => self.in_body(token),
        }
    }

    /// Closes the cell before a token that cannot stand in it.
    fn end_cell(&mut self) -> Step {
        let is_cell = |name| matches!(name, Name::TD | Name::TH);
        if !self.in_scope(Scope::Table, Name::TD) && !self.in_scope(Scope::Table, Name::TH) {
            return Step::Done;
        }
        self.close_implied(None);
        self.pop_until(|(_, name)| is_cell(name));
        self.clear_formatting_to_marker();
        self.mode = Mode::InRow;
        Step::Again
    }
}

/// Start tags that end a caption or a cell.
fn is_table_part(name: Name) -> bool {
    matches!(
        name,
        Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::TBODY
            | Name::TD
            | Name::TFOOT
            | Name::TH
            | Name::THEAD
            | Name::TR
    )
}
