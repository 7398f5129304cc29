//! The stack of open elements: scopes, implied end tags, and which mode the innermost element asks
//! for.
//!
//! HTML standard, 13.2.4.1, 13.2.4.2 and 13.2.6.3.

use super::super::dom::Namespace;
use super::super::name::{KNOWN_COUNT, Name};
use super::builder::{Mode, TreeBuilder};
use super::tree::Handle;

/// How far outwards an element is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Default,
    ListItem,
    Button,
    Table,
}

impl TreeBuilder<'_> {
    /// The innermost open element.
    pub(super) fn current(&self) -> Handle {
        *self.stack.last().expect("the root element stays open")
    }

    pub(super) fn is_html(&self, element: Handle, name: Name) -> bool {
        self.tree.element(element) == (Namespace::Html, name)
    }

    /// Whether the innermost open element is an HTML element with this name.
    pub(super) fn current_is(&self, name: Name) -> bool {
        self.stack.last().is_some_and(|&element| self.is_html(element, name))
    }

    pub(super) fn current_is_any(&self, names: &[Name]) -> bool {
        names.iter().any(|&name| self.current_is(name))
    }

    pub(super) fn is_open(&self, name: Name) -> bool {
        self.stack.iter().any(|&element| self.is_html(element, name))
    }

    /// Whether an element that `wanted` is true of is open in this scope.
    pub(super) fn any_in_scope(&self, scope: Scope, wanted: impl Fn(Handle) -> bool) -> bool {
        for &element in self.stack.iter().rev() {
            if wanted(element) {
                return true;
            }
            if bounds_scope(scope, self.tree.element(element)) {
                return false;
            }
        }
        false
    }

    pub(super) fn in_scope(&self, scope: Scope, name: Name) -> bool {
        self.any_in_scope(scope, |element| self.is_html(element, name))
    }

    /// Closes the innermost element. The root stays open.
    pub(super) fn pop(&mut self) {
        if self.stack.len() > 1 {
            self.stack.pop();
        }
    }

    /// Closes elements up to and with the innermost one that `wanted` is true of.
    pub(super) fn pop_until(&mut self, wanted: impl Fn((Namespace, Name)) -> bool) {
        while self.stack.len() > 1 {
            let element = self.tree.element(self.current());
            self.stack.pop();
            if wanted(element) {
                return;
            }
        }
    }

    pub(super) fn pop_until_named(&mut self, name: Name) {
        self.pop_until(|element| element == (Namespace::Html, name));
    }

    /// Closes elements until the innermost one has one of these names, or is the root.
    pub(super) fn clear_back_to(&mut self, names: &[Name]) {
        while self.stack.len() > 1 && !self.current_is(Name::TEMPLATE) && !self.current_is_any(names) {
            self.stack.pop();
        }
    }

    pub(super) fn remove_from_stack(&mut self, element: Handle) {
        if let Some(index) = self.stack.iter().rposition(|&open| open == element) {
            self.stack.remove(index);
        }
    }

    /// Closes the elements whose end tags pages leave out, but for one name.
    pub(super) fn close_implied(&mut self, except: Option<Name>) {
        while let (Namespace::Html, name) = self.tree.element(self.current())
            && Some(name) != except
            && closes_by_itself(name)
        {
            self.stack.pop();
        }
    }

    /// The same, inside a template, where parts of tables count too.
    pub(super) fn close_implied_thoroughly(&mut self) {
        while let (Namespace::Html, name) = self.tree.element(self.current())
            && (closes_by_itself(name)
                || matches!(
                    name,
                    Name::CAPTION
                        | Name::COLGROUP
                        | Name::TBODY
                        | Name::TD
                        | Name::TFOOT
                        | Name::TH
                        | Name::THEAD
                        | Name::TR
                ))
        {
            self.stack.pop();
        }
    }

    pub(super) fn close_paragraph(&mut self) {
        if self.in_scope(Scope::Button, Name::P) {
            self.close_implied(Some(Name::P));
            self.pop_until_named(Name::P);
        }
    }

    /// The mode that the open elements ask for.
    pub(super) fn reset_mode(&mut self) {
        for index in (0..self.stack.len()).rev() {
            let last = index == 0;
            let element = if last {
                self.context.unwrap_or(self.stack[0])
            } else {
                self.stack[index]
            };
            let (space, name) = self.tree.element(element);
            if let Some(mode) = self.mode_of(space, name, last) {
                self.mode = mode;
                return;
            }
        }
        self.mode = Mode::InBody;
    }

    fn mode_of(&self, space: Namespace, name: Name, last: bool) -> Option<Mode> {
        if space != Namespace::Html {
            return None;
        }
        match name {
            Name::TD | Name::TH if !last => Some(Mode::InCell),
            Name::TR => Some(Mode::InRow),
            Name::TBODY | Name::THEAD | Name::TFOOT => Some(Mode::InTableBody),
            Name::CAPTION => Some(Mode::InCaption),
            Name::COLGROUP => Some(Mode::InColumnGroup),
            Name::TABLE => Some(Mode::InTable),
            Name::TEMPLATE => self.template_modes.last().copied(),
            Name::HEAD if !last => Some(Mode::InHead),
            Name::BODY => Some(Mode::InBody),
            Name::FRAMESET => Some(Mode::InFrameset),
            Name::HTML if self.head.is_none() => Some(Mode::BeforeHead),
            Name::HTML => Some(Mode::AfterHead),
            _ => None,
        }
    }
}

fn closes_by_itself(name: Name) -> bool {
    matches!(
        name,
        Name::DD
            | Name::DT
            | Name::LI
            | Name::OPTGROUP
            | Name::OPTION
            | Name::P
            | Name::RB
            | Name::RP
            | Name::RT
            | Name::RTC
    )
}

fn bounds_scope(scope: Scope, (space, name): (Namespace, Name)) -> bool {
    if space != Namespace::Html {
        return scope != Scope::Table && is_special(space, name);
    }
    match scope {
        Scope::Table => matches!(name, Name::HTML | Name::TABLE | Name::TEMPLATE),
        Scope::ListItem if matches!(name, Name::OL | Name::UL) => true,
        Scope::Button if name == Name::BUTTON => true,
        _ => matches!(
            name,
            Name::APPLET
                | Name::CAPTION
                | Name::HTML
                | Name::TABLE
                | Name::TD
                | Name::TH
                | Name::MARQUEE
                | Name::OBJECT
                | Name::SELECT
                | Name::TEMPLATE
        ),
    }
}

/// Elements that insertion modes rely on being open, or that have a marker among the formatting
/// elements.
pub(super) fn bears_structure(space: Namespace, name: Name) -> bool {
    space == Namespace::Html
        && matches!(
            name,
            Name::HTML
                | Name::HEAD
                | Name::BODY
                | Name::FRAMESET
                | Name::TABLE
                | Name::CAPTION
                | Name::COLGROUP
                | Name::TBODY
                | Name::TFOOT
                | Name::THEAD
                | Name::TR
                | Name::TD
                | Name::TH
                | Name::TEMPLATE
                | Name::SELECT
                | Name::APPLET
                | Name::MARQUEE
                | Name::OBJECT
        )
}

/// The standard's category "special".
pub(super) fn is_special(space: Namespace, name: Name) -> bool {
    match space {
        Namespace::MathMl => {
            matches!(
                name,
                Name::MI | Name::MO | Name::MN | Name::MS | Name::MTEXT | Name::ANNOTATION_XML
            )
        }
        Namespace::Svg => matches!(name, Name::FOREIGN_OBJECT | Name::DESC | Name::TITLE),
        Namespace::Html => name.is_known() && IS_SPECIAL[name.index()],
    }
}

/// Whether each known name is special.
const IS_SPECIAL: [bool; KNOWN_COUNT] = {
    let mut is_special = [false; KNOWN_COUNT];
    let mut index = 0;
    while index < SPECIAL.len() {
        is_special[SPECIAL[index].index()] = true;
        index += 1;
    }
    is_special
};

#[rustfmt::skip]
const SPECIAL: &[Name] = &[
    Name::DIV, Name::P, Name::LI, Name::UL, Name::TD, Name::TR, Name::TABLE, Name::TBODY, Name::BODY, Name::HTML,
    Name::ADDRESS, Name::APPLET, Name::AREA, Name::ARTICLE, Name::ASIDE, Name::BASE, Name::BASEFONT, Name::BGSOUND,
    Name::BLOCKQUOTE, Name::BR, Name::BUTTON, Name::CAPTION, Name::CENTER, Name::COL, Name::COLGROUP, Name::DD,
    Name::DETAILS, Name::DIR, Name::DL, Name::DT, Name::EMBED, Name::FIELDSET, Name::FIGCAPTION, Name::FIGURE,
    Name::FOOTER, Name::FORM, Name::FRAME, Name::FRAMESET, Name::H1, Name::H2, Name::H3, Name::H4, Name::H5, Name::H6,
    Name::HEAD, Name::HEADER, Name::HGROUP, Name::HR, Name::IFRAME, Name::IMG, Name::INPUT, Name::KEYGEN, Name::LINK,
    Name::LISTING, Name::MAIN, Name::MARQUEE, Name::MENU, Name::META, Name::NAV, Name::NOEMBED, Name::NOFRAMES,
    Name::NOSCRIPT, Name::OBJECT, Name::OL, Name::PARAM, Name::PLAINTEXT, Name::PRE, Name::SCRIPT, Name::SEARCH,
    Name::SECTION, Name::SELECT, Name::SOURCE, Name::STYLE, Name::SUMMARY, Name::TEMPLATE, Name::TEXTAREA, Name::TFOOT,
    Name::TH, Name::THEAD, Name::TITLE, Name::TRACK, Name::WBR, Name::XMP,
];
