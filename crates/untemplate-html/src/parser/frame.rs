//! Insertion modes after the body, and of framesets.
//!
//! HTML standard, 13.2.6.4.17 to 13.2.6.4.21.

use super::super::name::Name;
use super::builder::{Mode, Step, TreeBuilder};
use super::token::Token;

impl TreeBuilder<'_> {
    pub(super) fn after_body(&mut self, token: Token) -> Step {
        if self.is_space(token) || self.starts(token, Name::HTML) {
            return self.in_body(token);
        }
        match token {
            Token::EndTag if self.tag_name() == Name::HTML => {
                if self.context.is_none() {
                    self.mode = Mode::AfterAfterBody;
                }
                Step::Done
            }
            Token::End => Step::Done,
            _ => {
                self.mode = Mode::InBody;
                Step::Again
            }
        }
    }

    pub(super) fn in_frameset(&mut self, token: Token) -> Step {
        match token {
            Token::Characters(span) if self.is_white_space(span) => self.insert_characters(span),
            Token::StartTag => match self.tag_name() {
                Name::HTML => return self.in_body(token),
                Name::FRAMESET => {
                    self.insert_tag();
                }
                Name::FRAME => self.insert_void_tag(),
                Name::NOFRAMES => return self.head_start_tag(Name::NOFRAMES),
                _ => {}
            },
            Token::EndTag if self.tag_name() == Name::FRAMESET => {
                self.pop();
                if self.context.is_none() && !self.current_is(Name::FRAMESET) {
                    self.mode = Mode::AfterFrameset;
                }
            }
            _ => {}
        }
        Step::Done
    }

    pub(super) fn after_frameset(&mut self, token: Token) -> Step {
        match token {
            Token::Characters(span) if self.is_white_space(span) => self.insert_characters(span),
            Token::StartTag if self.tag_name() == Name::HTML => return self.in_body(token),
            Token::StartTag if self.tag_name() == Name::NOFRAMES => return self.head_start_tag(Name::NOFRAMES),
            Token::EndTag if self.tag_name() == Name::HTML => self.mode = Mode::AfterAfterFrameset,
            _ => {}
        }
        Step::Done
    }

    pub(super) fn after_after_body(&mut self, token: Token) -> Step {
        if self.is_space(token) || self.starts(token, Name::HTML) {
            return self.in_body(token);
        }
        if token == Token::End {
            return Step::Done;
        }
        self.mode = Mode::InBody;
        Step::Again
    }

    pub(super) fn after_after_frameset(&mut self, token: Token) -> Step {
        if self.is_space(token) || self.starts(token, Name::HTML) {
            return self.in_body(token);
        }
        if self.starts(token, Name::NOFRAMES) {
            return self.head_start_tag(Name::NOFRAMES);
        }
        Step::Done
    }

    fn starts(&self, token: Token, name: Name) -> bool {
        token == Token::StartTag && self.tag_name() == name
    }
}
