//! The insertion mode "in body": where most of a page is read.
//!
//! HTML standard, 13.2.6.4.7.

use super::super::dom::Namespace;
use super::super::name::Name;
use super::builder::{Mode, Step, TreeBuilder};
use super::head::belongs_in_head;
use super::stack::{Scope, is_special};
use super::token::Token;
use super::tokenizer::TextKind;

const HEADINGS: [Name; 6] = [Name::H1, Name::H2, Name::H3, Name::H4, Name::H5, Name::H6];

impl TreeBuilder<'_> {
    pub(super) fn in_body(&mut self, token: Token) -> Step {
        match token {
            Token::Characters(span) => {
                self.reconstruct_formatting();
                self.insert_characters(span);
                if self.frameset_ok && !self.is_white_space(span) {
                    self.frameset_ok = false;
                }
                Step::Done
            }
            Token::StartTag => self.body_start_tag(self.tag_name()),
            Token::EndTag => self.body_end_tag(self.tag_name()),
            Token::End if !self.template_modes.is_empty() => self.in_template(token),
            _ => Step::Done,
        }
    }

    fn body_start_tag(&mut self, name: Name) -> Step {
        match name {
            name if is_block(name) => {
                self.close_paragraph();
                self.insert_tag();
            }
            Name::A => self.start_anchor(),
            name if is_formatting(name) => {
                self.reconstruct_formatting();
                let element = self.insert_tag();
                self.push_formatting(element);
            }
            Name::LI | Name::DD | Name::DT => self.start_list_item(name),
            Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 => {
                self.close_paragraph();
                if self.current_is_any(&HEADINGS) {
                    self.pop();
                }
                self.insert_tag();
            }
            Name::AREA | Name::BR | Name::EMBED | Name::IMG | Name::KEYGEN | Name::WBR => self.start_inline_void(),
            Name::TABLE => {
                if !self.quirks {
                    self.close_paragraph();
                }
                self.insert_tag();
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            name if belongs_in_head(name) => return self.head_start_tag(name),
            Name::HTML | Name::BODY | Name::FRAMESET => self.start_page_part(name),
            Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::FRAME
            | Name::HEAD
            | Name::TBODY
            | Name::TD
            | Name::TFOOT
            | Name::TH
            | Name::THEAD
            | Name::TR => {}
            Name::MATH => self.start_foreign(Namespace::MathMl),
            Name::SVG => self.start_foreign(Namespace::Svg),
            _ => return self.rare_start_tag(name),
        }
        Step::Done
    }

    fn rare_start_tag(&mut self, name: Name) -> Step {
        match name {
            Name::PRE | Name::LISTING => {
                self.close_paragraph();
                self.insert_tag();
                self.ignore_line_end = true;
                self.frameset_ok = false;
            }
            Name::FORM => self.start_form(),
            Name::BUTTON => {
                if self.in_scope(Scope::Default, Name::BUTTON) {
                    self.close_implied(None);
                    self.pop_until_named(Name::BUTTON);
                }
                self.reconstruct_formatting();
                self.insert_tag();
                self.frameset_ok = false;
            }
            Name::APPLET | Name::MARQUEE | Name::OBJECT => {
                self.reconstruct_formatting();
                self.insert_tag();
                self.push_marker();
                self.frameset_ok = false;
            }
            Name::NOBR => {
                self.reconstruct_formatting();
                if self.in_scope(Scope::Default, Name::NOBR) {
                    self.adoption_agency(Name::NOBR);
                    self.reconstruct_formatting();
                }
                let element = self.insert_tag();
                self.push_formatting(element);
            }
            Name::PARAM | Name::SOURCE | Name::TRACK => self.insert_void_tag(),
            Name::IMAGE => {
                self.tokenizer.tag.name = Some(Name::IMG);
                self.start_inline_void();
            }
            Name::INPUT | Name::SELECT | Name::OPTION | Name::OPTGROUP | Name::HR => self.start_control(name),
            Name::RB | Name::RTC | Name::RP | Name::RT => {
                if self.in_scope(Scope::Default, Name::RUBY) {
                    self.close_implied(matches!(name, Name::RP | Name::RT).then_some(Name::RTC));
                }
                self.insert_tag();
            }
            Name::PLAINTEXT => {
                self.close_paragraph();
                self.insert_tag();
                self.tokenizer.text_kind = TextKind::Plain;
            }
            Name::TEXTAREA | Name::XMP | Name::IFRAME | Name::NOEMBED | Name::NOSCRIPT => return self.start_raw(name),
            _ => {
                self.reconstruct_formatting();
                self.insert_tag();
            }
        }
        Step::Done
    }

    fn start_raw(&mut self, name: Name) -> Step {
        match name {
            Name::NOSCRIPT if !self.scripting => {
                self.reconstruct_formatting();
                self.insert_tag();
                return Step::Done;
            }
            Name::NOEMBED | Name::NOSCRIPT => {}
            Name::XMP => {
                self.close_paragraph();
                self.reconstruct_formatting();
                self.frameset_ok = false;
            }
            _ => self.frameset_ok = false,
        }
        self.ignore_line_end = name == Name::TEXTAREA;
        self.insert_raw_text(if name == Name::TEXTAREA {
            TextKind::EscapableRaw
        } else {
            TextKind::Raw
        })
    }

    fn start_page_part(&mut self, name: Name) {
        let body = self
            .stack
            .get(1)
            .copied()
            .filter(|&element| self.is_html(element, Name::BODY));
        match (name, body) {
            (Name::HTML, _) if !self.is_open(Name::TEMPLATE) => self.add_attributes_to(self.stack[0]),
            (Name::BODY, Some(body)) if !self.is_open(Name::TEMPLATE) => {
                self.frameset_ok = false;
                self.add_attributes_to(body);
            }
            (Name::FRAMESET, Some(body)) if self.frameset_ok => {
                self.tree.detach(body);
                self.stack.truncate(1);
                self.insert_tag();
                self.mode = Mode::InFrameset;
            }
            _ => {}
        }
    }

    fn start_anchor(&mut self) {
        if let Some((_, open)) = self.find_formatting(Name::A) {
            self.adoption_agency(Name::A);
            self.forget_formatting(open);
            self.remove_from_stack(open);
        }
        self.reconstruct_formatting();
        let element = self.insert_tag();
        self.push_formatting(element);
    }

    fn start_inline_void(&mut self) {
        self.reconstruct_formatting();
        self.insert_void_tag();
        self.frameset_ok = false;
    }

    fn start_list_item(&mut self, name: Name) {
        self.frameset_ok = false;
        for index in (0..self.stack.len()).rev() {
            let (space, open) = self.tree.element(self.stack[index]);
            let closes = space == Namespace::Html
                && if name == Name::LI {
                    open == name
                } else {
                    matches!(open, Name::DD | Name::DT)
                };
            if closes {
                self.close_implied(Some(open));
                self.pop_until_named(open);
                break;
            }
            if is_special(space, open) && !matches!(open, Name::ADDRESS | Name::DIV | Name::P) {
                break;
            }
        }
        self.close_paragraph();
        self.insert_tag();
    }

    fn start_form(&mut self) {
        let in_template = self.is_open(Name::TEMPLATE);
        if self.form.is_some() && !in_template {
            return;
        }
        self.close_paragraph();
        let element = self.insert_tag();
        if !in_template {
            self.form = Some(element);
        }
    }

    fn start_control(&mut self, name: Name) {
        let in_select = self.in_scope(Scope::Default, Name::SELECT);
        let for_select = self.context.is_some_and(|context| self.is_html(context, Name::SELECT));
        match name {
            Name::INPUT | Name::SELECT if for_select => return,
            Name::SELECT if in_select => return self.pop_until_named(Name::SELECT),
            Name::INPUT if in_select => self.pop_until_named(Name::SELECT),
            Name::HR => {
                self.close_paragraph();
                if in_select {
                    self.close_implied(None);
                }
                self.insert_void_tag();
                self.frameset_ok = false;
                return;
            }
            Name::OPTION | Name::OPTGROUP if in_select => {
                self.close_implied((name == Name::OPTION).then_some(Name::OPTGROUP));
            }
            Name::OPTION | Name::OPTGROUP if self.current_is(Name::OPTION) => self.pop(),
            _ => {}
        }
        self.reconstruct_formatting();
        self.insert_tag();
        match name {
            Name::INPUT => {
                self.stack.pop();
                self.frameset_ok &= self.tag_is_hidden();
            }
            Name::SELECT => self.frameset_ok = false,
            _ => {}
        }
    }

    fn body_end_tag(&mut self, name: Name) -> Step {
        match name {
            name if is_formatting(name) || matches!(name, Name::A | Name::NOBR) => self.adoption_agency(name),
            Name::P => {
                if !self.in_scope(Scope::Button, Name::P) {
                    self.insert_implied(Name::P);
                }
                self.close_paragraph();
            }
            name if (is_block(name) && name != Name::P)
                || matches!(name, Name::BUTTON | Name::LISTING | Name::PRE | Name::SELECT) =>
            {
                self.end_scoped(Scope::Default, name, None);
            }
            Name::LI => self.end_scoped(Scope::ListItem, name, Some(name)),
            Name::DD | Name::DT => self.end_scoped(Scope::Default, name, Some(name)),
            Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 => self.end_heading(),
            Name::FORM => self.end_form(),
            Name::APPLET | Name::MARQUEE | Name::OBJECT => {
                if self.in_scope(Scope::Default, name) {
                    self.end_scoped(Scope::Default, name, None);
                    self.clear_formatting_to_marker();
                }
            }
            Name::BR => {
                self.tokenizer.tag.attributes.clear();
                self.start_inline_void();
            }
            Name::BODY | Name::HTML => {
                if self.in_scope(Scope::Default, Name::BODY) {
                    self.mode = Mode::AfterBody;
                    return if name == Name::HTML { Step::Again } else { Step::Done };
                }
            }
            Name::TEMPLATE => return self.end_template(),
            _ => self.any_other_end_tag(name),
        }
        Step::Done
    }

    /// Closes up to the innermost element of this name, if it is in scope.
    fn end_scoped(&mut self, scope: Scope, name: Name, except: Option<Name>) {
        if self.in_scope(scope, name) {
            self.close_implied(except);
            self.pop_until_named(name);
        }
    }

    fn end_heading(&mut self) {
        let is_heading = |element| HEADINGS.iter().any(|&heading| element == (Namespace::Html, heading));
        if self.any_in_scope(Scope::Default, |element| is_heading(self.tree.element(element))) {
            self.close_implied(None);
            self.pop_until(is_heading);
        }
    }

    fn end_form(&mut self) {
        if self.is_open(Name::TEMPLATE) {
            return self.end_scoped(Scope::Default, Name::FORM, None);
        }
        let Some(form) = self.form.take() else { return };
        if self.any_in_scope(Scope::Default, |element| element == form) {
            self.close_implied(None);
            self.remove_from_stack(form);
        }
    }
}

/// Elements that end a paragraph, and whose end tag closes all inside them.
fn is_block(name: Name) -> bool {
    matches!(
        name,
        Name::DIV
            | Name::P
            | Name::UL
            | Name::OL
            | Name::DL
            | Name::ADDRESS
            | Name::ARTICLE
            | Name::ASIDE
            | Name::BLOCKQUOTE
            | Name::CENTER
            | Name::DETAILS
            | Name::DIALOG
            | Name::DIR
            | Name::FIELDSET
            | Name::FIGCAPTION
            | Name::FIGURE
            | Name::FOOTER
            | Name::HEADER
            | Name::HGROUP
            | Name::MAIN
            | Name::MENU
            | Name::NAV
            | Name::SEARCH
            | Name::SECTION
            | Name::SUMMARY
    )
}

fn is_formatting(name: Name) -> bool {
    matches!(
        name,
        Name::B
            | Name::BIG
            | Name::CODE
            | Name::EM
            | Name::FONT
            | Name::I
            | Name::S
            | Name::SMALL
            | Name::STRIKE
            | Name::STRONG
            | Name::TT
            | Name::U
    )
}
