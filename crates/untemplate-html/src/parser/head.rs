//! Insertion modes from the start of a page to its head's end, and templates.
//!
//! HTML standard, 13.2.6.4.1 to 13.2.6.4.6, 13.2.6.4.8 and 13.2.6.4.16.

use super::super::dom::{Namespace, NodeKind};
use super::super::name::Name;
use super::builder::{Mode, Step, TreeBuilder};
use super::quirks;
use super::span::Span;
use super::token::{Doctype, Token};
use super::tokenizer::TextKind;
use super::tree::{InsertionPoint, Tree};

impl TreeBuilder<'_> {
    pub(super) fn insert_doctype(&mut self, doctype: &Doctype) {
        let text = |span: Option<Span>| span.map(|span| self.text(span).to_owned());
        let (name, public_id, system_id) = (text(doctype.name), text(doctype.public_id), text(doctype.system_id));
        self.quirks = doctype.force_quirks
            || quirks::asks_for_quirks(name.as_deref(), public_id.as_deref(), system_id.as_deref());
        let mut declared = name.unwrap_or_default();
        if public_id.is_some() || system_id.is_some() {
            let (public_id, system_id) = (public_id.unwrap_or_default(), system_id.unwrap_or_default());
            declared.push_str(&format!(" \"{public_id}\" \"{system_id}\""));
        }
        let from = self.tokenizer.text.scratch.len();
        self.tokenizer.text.scratch.push_str(&declared);
        let node = self
            .tree
            .create_other(NodeKind::Doctype, self.tokenizer.text.scratch_from(from));
        self.tree.insert(node, InsertionPoint::LastIn(Tree::DOCUMENT));
        self.mode = Mode::BeforeHtml;
    }

    pub(super) fn initial(&mut self, token: Token) -> Step {
        if self.is_space(token) {
            return Step::Done;
        }
        self.quirks = true;
        self.mode = Mode::BeforeHtml;
        Step::Again
    }

    /// Whether a token is white space and nothing else.
    pub(super) fn is_space(&self, token: Token) -> bool {
        matches!(token, Token::Characters(span) if self.is_white_space(span))
    }

    pub(super) fn before_html(&mut self, token: Token) -> Step {
        if self.is_space(token) {
            return Step::Done;
        }
        if token == Token::EndTag && !ends_head(self.tag_name()) {
            return Step::Done;
        }
        let is_root = token == Token::StartTag && self.tag_name() == Name::HTML;
        let attributes = if is_root {
            self.tokenizer.tag.attributes.as_slice()
        } else {
            &[]
        };
        let root = self.tree.create_element(Namespace::Html, Name::HTML, attributes);
        self.tree.insert(root, InsertionPoint::LastIn(Tree::DOCUMENT));
        self.stack.push(root);
        self.mode = Mode::BeforeHead;
        if is_root { Step::Done } else { Step::Again }
    }

    pub(super) fn before_head(&mut self, token: Token) -> Step {
        if self.is_space(token) {
            return Step::Done;
        }
        match token {
            Token::StartTag if self.tag_name() == Name::HTML => return self.in_body(token),
            Token::StartTag if self.tag_name() == Name::HEAD => {
                self.head = Some(self.insert_tag());
                self.mode = Mode::InHead;
                return Step::Done;
            }
            Token::EndTag if !ends_head(self.tag_name()) => return Step::Done,
            _ => {}
        }
        self.head = Some(self.insert_implied(Name::HEAD));
        self.mode = Mode::InHead;
        Step::Again
    }

    pub(super) fn in_head(&mut self, token: Token) -> Step {
        match token {
            Token::Characters(span) if self.is_white_space(span) => {
                self.insert_characters(span);
                return Step::Done;
            }
            Token::StartTag => match self.tag_name() {
                Name::HTML => return self.in_body(token),
                Name::HEAD => return Step::Done,
                name if belongs_in_head(name) => return self.head_start_tag(name),
                Name::NOSCRIPT if self.scripting => return self.insert_raw_text(TextKind::Raw),
                Name::NOSCRIPT => {
                    self.insert_tag();
                    self.mode = Mode::InHeadNoscript;
                    return Step::Done;
                }
                _ => {}
            },
            Token::EndTag => match self.tag_name() {
                Name::HEAD => {
                    self.pop();
                    self.mode = Mode::AfterHead;
                    return Step::Done;
                }
                Name::TEMPLATE => return self.end_template(),
                name if !matches!(name, Name::BODY | Name::HTML | Name::BR) => return Step::Done,
                _ => {}
            },
            _ => {}
        }
        self.pop();
        self.mode = Mode::AfterHead;
        Step::Again
    }

    /// A start tag that means the same in the head and in the body.
    pub(super) fn head_start_tag(&mut self, name: Name) -> Step {
        match name {
            Name::TITLE => self.insert_raw_text(TextKind::EscapableRaw),
            Name::NOFRAMES | Name::STYLE => self.insert_raw_text(TextKind::Raw),
            Name::SCRIPT => self.insert_raw_text(TextKind::Script),
            Name::TEMPLATE => {
                self.insert_tag();
                self.push_marker();
                self.frameset_ok = false;
                self.mode = Mode::InTemplate;
                self.template_modes.push(Mode::InTemplate);
                Step::Done
            }
            _ => {
                self.insert_void_tag();
                Step::Done
            }
        }
    }

    pub(super) fn end_template(&mut self) -> Step {
        if self.is_open(Name::TEMPLATE) {
            self.close_implied_thoroughly();
            self.leave_template();
        }
        Step::Done
    }

    fn leave_template(&mut self) {
        self.pop_until_named(Name::TEMPLATE);
        self.clear_formatting_to_marker();
        self.template_modes.pop();
        self.reset_mode();
    }

    pub(super) fn in_head_noscript(&mut self, token: Token) -> Step {
        if self.is_space(token) {
            return self.in_head(token);
        }
        match token {
            Token::StartTag => match self.tag_name() {
                Name::HTML => return self.in_body(token),
                Name::BASEFONT | Name::BGSOUND | Name::LINK | Name::META | Name::NOFRAMES | Name::STYLE => {
                    return self.in_head(token);
                }
                Name::HEAD | Name::NOSCRIPT => return Step::Done,
                _ => {}
            },
            Token::EndTag if self.tag_name() == Name::NOSCRIPT => {
                self.pop();
                self.mode = Mode::InHead;
                return Step::Done;
            }
            Token::EndTag if self.tag_name() != Name::BR => return Step::Done,
            _ => {}
        }
        self.pop();
        self.mode = Mode::InHead;
        Step::Again
    }

    pub(super) fn after_head(&mut self, token: Token) -> Step {
        match token {
            Token::Characters(span) if self.is_white_space(span) => {
                self.insert_characters(span);
                return Step::Done;
            }
            Token::StartTag => match self.tag_name() {
                Name::HTML => return self.in_body(token),
                Name::HEAD => return Step::Done,
                Name::BODY => {
                    self.insert_tag();
                    self.frameset_ok = false;
                    self.mode = Mode::InBody;
                    return Step::Done;
                }
                Name::FRAMESET => {
                    self.insert_tag();
                    self.mode = Mode::InFrameset;
                    return Step::Done;
                }
                name if belongs_in_head(name) => return self.late_head_tag(name),
                _ => {}
            },
            Token::EndTag => match self.tag_name() {
                Name::TEMPLATE => return self.end_template(),
                name if !matches!(name, Name::BODY | Name::HTML | Name::BR) => return Step::Done,
                _ => {}
            },
            _ => {}
        }
        self.insert_implied(Name::BODY);
        self.mode = Mode::InBody;
        Step::Again
    }

    /// A head's element after the head's end still goes into the head.
    fn late_head_tag(&mut self, name: Name) -> Step {
        let Some(head) = self.head else { return Step::Done };
        self.stack.push(head);
        let step = self.head_start_tag(name);
        self.remove_from_stack(head);
        step
    }

    pub(super) fn in_text(&mut self, token: Token) -> Step {
        match token {
            Token::Characters(span) => {
                self.insert_characters(span);
                Step::Done
            }
            Token::Null => Step::Done,
            _ => {
                self.pop();
                self.mode = self.original_mode;
                if token == Token::End { Step::Again } else { Step::Done }
            }
        }
    }

    pub(super) fn in_template(&mut self, token: Token) -> Step {
        match token {
            Token::Characters(_) | Token::Null => self.in_body(token),
            Token::StartTag => {
                let name = self.tag_name();
                if belongs_in_head(name) {
                    return self.head_start_tag(name);
                }
                self.template_modes.pop();
                self.mode = match name {
                    Name::CAPTION | Name::COLGROUP | Name::TBODY | Name::TFOOT | Name::THEAD => Mode::InTable,
                    Name::COL => Mode::InColumnGroup,
                    Name::TR => Mode::InTableBody,
                    Name::TD | Name::TH => Mode::InRow,
                    _ => Mode::InBody,
                };
                self.template_modes.push(self.mode);
                Step::Again
            }
            Token::EndTag if self.tag_name() == Name::TEMPLATE => self.end_template(),
            Token::End if self.is_open(Name::TEMPLATE) => {
                self.leave_template();
                Step::Again
            }
            _ => Step::Done,
        }
    }
}

/// End tags that begin the rest of the page where its head was left out.
fn ends_head(name: Name) -> bool {
    matches!(name, Name::HEAD | Name::BODY | Name::HTML | Name::BR)
}

/// Start tags that are treated as in the head wherever they stand.
pub(super) fn belongs_in_head(name: Name) -> bool {
    matches!(
        name,
        Name::BASE
            | Name::BASEFONT
            | Name::BGSOUND
            | Name::LINK
            | Name::META
            | Name::NOFRAMES
            | Name::SCRIPT
            | Name::STYLE
            | Name::TEMPLATE
            | Name::TITLE
    )
}
