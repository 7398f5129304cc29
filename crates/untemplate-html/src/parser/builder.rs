//! The tree builder: tokens to a tree, as the HTML standard says (13.2.6).
//!
//! In: the tokens of a page. Out: the tree that every browser would build from them. This file
//! holds the state and the dispatcher; the insertion modes are in `head.rs`, `body.rs`, `table.rs`
//! and `frame.rs`, foreign content in `foreign.rs`, the stack of open elements in `stack.rs`, and
//! what misnested tags need in `formatting.rs`.
//!
//! Departures: the stack is about [`Limits::depth_max`] deep at the most (one more element closes
//! the innermost first, so that what browsers put inside stands beside it; only tables and the like
//! go on to twice that), so that every step costs a bounded time; `selectedcontent` stays as the
//! author wrote it, since a copy of an option would count a value twice; templates never become
//! shadow roots.

use super::super::dom::{Dom, Namespace, NodeKind};
use super::super::name::Name;
use super::Limits;
use super::span::Span;
use super::stack::bears_structure;
use super::token::{Tag, TagAttribute, Token};
use super::tokenizer::{TextKind, Tokenizer};
use super::tree::{Handle, InsertionPoint, Tree};

/// The insertion mode: what the next token means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// What becomes of a token after a mode has looked at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Done,
    /// Look at it again, in the mode that is set now.
    Again,
}

/// An entry of the list of active formatting elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Formatting {
    Marker,
    /// An element, and a hash of its attributes that does not depend on their order.
    Element(Handle, u64),
}

impl Formatting {
    /// Whether this is the entry of an element.
    pub(super) fn is(self, element: Handle) -> bool {
        matches!(self, Self::Element(its_element, _) if its_element == element)
    }
}

#[derive(Debug)]
pub(super) struct TreeBuilder<'a> {
    pub(super) tokenizer: Tokenizer<'a>,
    pub(super) tree: Tree,
    /// The open elements, innermost last. The first is `html` and stays.
    pub(super) stack: Vec<Handle>,
    pub(super) formatting: Vec<Formatting>,
    pub(super) mode: Mode,
    /// The mode to go back to from `Text` and `InTableText`.
    pub(super) original_mode: Mode,
    pub(super) template_modes: Vec<Mode>,
    pub(super) head: Option<Handle>,
    pub(super) form: Option<Handle>,
    pub(super) frameset_ok: bool,
    pub(super) foster_parenting: bool,
    /// Whether a line end right after the start tag is left out.
    pub(super) ignore_line_end: bool,
    pub(super) table_text: Vec<Span>,
    pub(super) quirks: bool,
    pub(super) scripting: bool,
    /// The element that a fragment is parsed for.
    pub(super) context: Option<Handle>,
    pub(super) limits: Limits,
    /// How many elements were closed because the tree was too deep.
    pub(super) too_deep: usize,
}

impl<'a> TreeBuilder<'a> {
    pub(super) fn new(source: &'a str, scripting: bool, limits: Limits) -> Self {
        Self {
            tokenizer: Tokenizer::new(source, limits.attributes_max),
            tree: Tree::new(source, limits.nodes_max),
            stack: Vec::new(),
            formatting: Vec::new(),
            mode: Mode::Initial,
            original_mode: Mode::Initial,
            template_modes: Vec::new(),
            head: None,
            form: None,
            frameset_ok: true,
            foster_parenting: false,
            ignore_line_end: false,
            table_text: Vec::new(),
            quirks: false,
            scripting,
            context: None,
            limits,
            too_deep: 0,
        }
    }

    /// Reads the whole page. `false` when it stopped before its end, there being too many nodes.
    pub(super) fn run(&mut self) -> bool {
        loop {
            self.tokenizer.cdata_allowed = self.in_foreign_content();
            let token = self.tokenizer.next();
            let is_cut = token != Token::End && self.tree.len() >= self.limits.nodes_max;
            let token = if is_cut { Token::End } else { token };
            self.process_token(token);
            if token == Token::End {
                return !is_cut;
            }
        }
    }

    /// The tree, once the page is read.
    pub(super) fn finish(self) -> Dom {
        self.tree
            .finish(&self.tokenizer.text, self.tokenizer.names, self.scripting)
    }

    pub(super) fn process_token(&mut self, token: Token) {
        let ignore_line_end = std::mem::take(&mut self.ignore_line_end);
        match token {
            Token::Characters(mut span) => {
                if ignore_line_end && self.text(span).starts_with('\n') {
                    span = span.split_at(1).1;
                }
                self.process_characters(span);
            }
            Token::Comment(text) => self.insert_comment(NodeKind::Comment, text),
            Token::Instruction { text, closed } => self.insert_instruction(text, closed),
            Token::Doctype(doctype) => {
                if self.mode == Mode::InTableText {
                    self.flush_table_text();
                }
                if self.mode == Mode::Initial {
                    self.insert_doctype(&doctype);
                }
            }
            Token::StartTag if self.is_far_too_deep(token) => {}
            Token::Null | Token::StartTag | Token::EndTag | Token::End => self.dispatch(token),
        }
    }

    /// White space is treated apart in some modes: there, text is processed run by run.
    fn process_characters(&mut self, mut span: Span) {
        while !span.is_empty() {
            let mut run = span;
            if self.splits_white_space() {
                let bytes = self.text(span).as_bytes();
                let is_space = is_white_space(bytes[0]);
                let length = bytes
                    .iter()
                    .take_while(|&&byte| is_white_space(byte) == is_space)
                    .count();
                (run, span) = span.split_at(length);
            } else {
                span = Span::EMPTY;
            }
            self.dispatch(Token::Characters(run));
        }
    }

    fn splits_white_space(&self) -> bool {
        !matches!(
            self.mode,
            Mode::InBody
                | Mode::Text
                | Mode::InTable
                | Mode::InTableText
                | Mode::InCaption
                | Mode::InTableBody
                | Mode::InRow
                | Mode::InCell
                | Mode::InTemplate
        )
    }

    fn dispatch(&mut self, token: Token) {
        loop {
            let step = if self.is_foreign(token) {
                self.foreign(token)
            } else {
                self.step(self.mode, token)
            };
            if step == Step::Done {
                return;
            }
        }
    }

    /// Treats a token by the rules of a mode, which need not be the current one.
    pub(super) fn step(&mut self, mode: Mode, token: Token) -> Step {
        match mode {
            Mode::Initial => self.initial(token),
            Mode::BeforeHtml => self.before_html(token),
            Mode::BeforeHead => self.before_head(token),
            Mode::InHead => self.in_head(token),
            Mode::InHeadNoscript => self.in_head_noscript(token),
            Mode::AfterHead => self.after_head(token),
            Mode::InBody => self.in_body(token),
            Mode::Text => self.in_text(token),
            Mode::InTable => self.in_table(token),
            Mode::InTableText => self.in_table_text(token),
            Mode::InCaption => self.in_caption(token),
            Mode::InColumnGroup => self.in_column_group(token),
            Mode::InTableBody => self.in_table_body(token),
            Mode::InRow => self.in_row(token),
            Mode::InCell => self.in_cell(token),
            Mode::InTemplate => self.in_template(token),
            Mode::AfterBody => self.after_body(token),
            Mode::InFrameset => self.in_frameset(token),
            Mode::AfterFrameset => self.after_frameset(token),
            Mode::AfterAfterBody => self.after_after_body(token),
            Mode::AfterAfterFrameset => self.after_after_frameset(token),
        }
    }

    pub(super) fn text(&self, span: Span) -> &str {
        self.tokenizer.text.get(span)
    }

    pub(super) fn is_white_space(&self, span: Span) -> bool {
        self.text(span).bytes().all(is_white_space)
    }

    /// The name of the tag that a start or end tag token speaks of.
    pub(super) fn tag_name(&self) -> Name {
        self.tokenizer.tag.name.expect("a tag token sets the tag's name")
    }

    /// Inserts an element for the current tag.
    pub(super) fn insert_tag(&mut self) -> Handle {
        let Tag { attributes, .. } = &self.tokenizer.tag;
        let element = self.tree.create_element(Namespace::Html, self.tag_name(), attributes);
        self.insert_element(element);
        element
    }

    /// Inserts an element for the current tag that has no content.
    pub(super) fn insert_void_tag(&mut self) {
        self.insert_tag();
        self.stack.pop();
    }

    /// Inserts an element that the page does not have.
    pub(super) fn insert_implied(&mut self, name: Name) -> Handle {
        let element = self.tree.create_element(Namespace::Html, name, &[]);
        self.insert_element(element);
        element
    }

    /// Puts an element where new nodes go, and opens it. In a tree that is too deep the innermost
    /// element is closed first, unless it is one that a mode relies on.
    pub(super) fn insert_element(&mut self, element: Handle) {
        if self.stack.len() >= self.limits.depth_max
            && let Some(innermost) = self.stack.pop_if(|innermost| !innermost.bears_structure())
        {
            self.too_deep += 1;
            self.forget_formatting(innermost);
        }
        let place = self.place_for(None);
        self.tree.insert(element, place);
        self.stack.push(element);
    }

    /// Whether a start tag is left out because tables, templates and the like stand twice as deep
    /// in each other as elements may: what is in it becomes part of the innermost.
    fn is_far_too_deep(&mut self, token: Token) -> bool {
        let is_it = token == Token::StartTag
            && self.stack.len() >= 2 * self.limits.depth_max
            && bears_structure(Namespace::Html, self.tag_name());
        self.too_deep += usize::from(is_it);
        is_it
    }

    pub(super) fn insert_characters(&mut self, span: Span) {
        let place = self.place_for(None);
        self.tree.insert_text(span, place);
    }

    /// Inserts the current tag's element, whose text is to be read in this way.
    pub(super) fn insert_raw_text(&mut self, kind: TextKind) -> Step {
        self.insert_tag();
        self.tokenizer.text_kind = kind;
        self.original_mode = self.mode;
        self.mode = Mode::Text;
        Step::Done
    }

    fn insert_comment(&mut self, kind: NodeKind, text: Span) {
        if self.mode == Mode::InTableText {
            self.flush_table_text();
        }
        let place = match self.mode {
            Mode::Initial | Mode::BeforeHtml | Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                InsertionPoint::LastIn(Tree::DOCUMENT)
            }
            Mode::AfterBody => InsertionPoint::LastIn(self.stack[0]),
            _ => self.place_for(None),
        };
        let comment = self.tree.create_other(kind, text);
        self.tree.insert(comment, place);
    }

    /// `<?target data>` is an instruction when its target is a name that XML has not taken, and
    /// else a comment.
    fn insert_instruction(&mut self, text: Span, closed: bool) {
        let content = &self.text(text)[1..];
        if content.is_empty() && !closed {
            return;
        }
        let length = content
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte))
            .count();
        let target = &content[..length];
        let starts_well = target.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let ends_well = matches!(
            content.as_bytes().get(length),
            None | Some(b' ' | b'\t' | b'\n' | b'\x0C' | b'?')
        );
        let taken = ["xml", "xml-stylesheet"]
            .iter()
            .any(|taken| target.eq_ignore_ascii_case(taken));
        if !starts_well || !ends_well || taken {
            self.insert_comment(NodeKind::Comment, text);
        } else if closed {
            self.insert_comment(NodeKind::Instruction, text);
        }
    }

    /// The place where new nodes go: mostly the end of the innermost open element, or of `target`.
    pub(super) fn place_for(&self, target: Option<Handle>) -> InsertionPoint {
        let Some(target) = target.or(self.stack.last().copied()) else {
            return InsertionPoint::LastIn(Tree::DOCUMENT);
        };
        let (space, name) = self.tree.element(target);
        let fosters = matches!(name, Name::TABLE | Name::TBODY | Name::TFOOT | Name::THEAD | Name::TR);
        if self.foster_parenting && space == Namespace::Html && fosters {
            return self.foster_place();
        }
        InsertionPoint::LastIn(self.tree.inside(target))
    }

    /// Where content goes that may not stand in a table: before it.
    fn foster_place(&self) -> InsertionPoint {
        for (index, &element) in self.stack.iter().enumerate().rev() {
            if self.is_html(element, Name::TEMPLATE) {
                return InsertionPoint::LastIn(self.tree.inside(element));
            }
            if self.is_html(element, Name::TABLE) {
                if self.tree.has_parent(element) {
                    return InsertionPoint::Before(element);
                }
                return InsertionPoint::LastIn(self.tree.inside(self.stack[index.saturating_sub(1)]));
            }
        }
        InsertionPoint::LastIn(self.stack[0])
    }

    /// The current tag's attributes, to give to an element that is open already.
    pub(super) fn add_attributes_to(&mut self, element: Handle) {
        let attributes: &[TagAttribute] = &self.tokenizer.tag.attributes;
        self.tree
            .add_missing_attributes(element, attributes, self.limits.attributes_max);
    }
}

pub(super) fn is_white_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}
