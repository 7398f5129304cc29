//! Foreign content: SVG and MathML inside a page.
//!
//! HTML standard, 13.2.6 (the dispatcher) and 13.2.6.5.

use super::super::dom::Namespace;
use super::super::name::Name;
use super::builder::{Step, TreeBuilder};
use super::token::Token;
use super::tree::Handle;

impl TreeBuilder<'_> {
    /// The innermost open element, or the one that a fragment is for.
    fn adjusted_current(&self) -> Option<Handle> {
        match (self.context, self.stack.as_slice()) {
            (Some(context), [_]) => Some(context),
            (_, stack) => stack.last().copied(),
        }
    }

    pub(super) fn in_foreign_content(&self) -> bool {
        self.adjusted_current()
            .is_some_and(|element| self.tree.element(element).0 != Namespace::Html)
    }

    /// Whether a token is treated by the rules for foreign content.
    pub(super) fn is_foreign(&self, token: Token) -> bool {
        let Some(element) = self.adjusted_current() else {
            return false;
        };
        let (space, name) = self.tree.element(element);
        if space == Namespace::Html || token == Token::End {
            return false;
        }
        let is_text = matches!(token, Token::Characters(_) | Token::Null);
        let starts = token == Token::StartTag;
        if is_math_text(space, name)
            && (is_text || starts && !matches!(self.tag_name(), Name::MGLYPH | Name::MALIGNMARK))
        {
            return false;
        }
        if (space, name) == (Namespace::MathMl, Name::ANNOTATION_XML) && starts && self.tag_name() == Name::SVG {
            return false;
        }
        !(self.is_html_integration(element) && (is_text || starts))
    }

    fn is_html_integration(&self, element: Handle) -> bool {
        match self.tree.element(element) {
            (Namespace::Svg, Name::FOREIGN_OBJECT | Name::DESC | Name::TITLE) => true,
            (Namespace::MathMl, Name::ANNOTATION_XML) => {
                let mut attributes = self.tree.attributes_of(element).iter();
                attributes.any(|attribute| {
                    let value = self.text(attribute.value);
                    attribute.name == Name::ENCODING
                        && (value.eq_ignore_ascii_case("text/html")
                            || value.eq_ignore_ascii_case("application/xhtml+xml"))
                })
            }
            _ => false,
        }
    }

    pub(super) fn foreign(&mut self, token: Token) -> Step {
        match token {
            Token::Null => {
                let from = self.tokenizer.text.scratch.len();
                self.tokenizer.text.scratch.push('\u{FFFD}');
                self.insert_characters(self.tokenizer.text.scratch_from(from));
            }
            Token::Characters(span) => {
                self.insert_characters(span);
                self.frameset_ok &= self.is_white_space(span);
            }
            Token::StartTag if self.leaves_foreign_content() => return self.leave_foreign_content(token),
            Token::EndTag if matches!(self.tag_name(), Name::BR | Name::P) => return self.leave_foreign_content(token),
            Token::StartTag => {
                let space = self
                    .adjusted_current()
                    .map_or(Namespace::Html, |element| self.tree.element(element).0);
                if space == Namespace::Svg {
                    self.adjust_svg_name();
                }
                self.insert_foreign(space);
            }
            Token::EndTag => return self.foreign_end_tag(token),
            _ => {}
        }
        Step::Done
    }

    /// Opens `svg` or `math` in HTML content.
    pub(super) fn start_foreign(&mut self, space: Namespace) {
        self.reconstruct_formatting();
        self.insert_foreign(space);
    }

    fn insert_foreign(&mut self, space: Namespace) {
        self.adjust_attributes(space);
        let tag = &self.tokenizer.tag;
        let element = self.tree.create_element(space, self.tag_name(), &tag.attributes);
        let closes = tag.self_closing;
        self.insert_element(element);
        if closes {
            self.stack.pop();
        }
    }

    fn leaves_foreign_content(&self) -> bool {
        let tag = &self.tokenizer.tag;
        match self.tag_name() {
            Name::FONT => [Name::COLOR, Name::FACE, Name::SIZE]
                .iter()
                .any(|&name| tag.attribute(name).is_some()),
            name => HTML_ONLY.contains(&name),
        }
    }

    fn leave_foreign_content(&mut self, token: Token) -> Step {
        while self.stack.len() > 1 {
            let (space, name) = self.tree.element(self.current());
            if space == Namespace::Html || is_math_text(space, name) || self.is_html_integration(self.current()) {
                break;
            }
            self.stack.pop();
        }
        self.step(self.mode, token)
    }

    fn foreign_end_tag(&mut self, token: Token) -> Step {
        let wanted = self.tag_name();
        for index in (0..self.stack.len()).rev() {
            let (space, name) = self.tree.element(self.stack[index]);
            if index < self.stack.len() - 1 && space == Namespace::Html {
                return self.step(self.mode, token);
            }
            let names = &self.tokenizer.names;
            if names.text(name).eq_ignore_ascii_case(names.text(wanted)) {
                self.stack.truncate(index.max(1));
                return Step::Done;
            }
            if index == 0 {
                break;
            }
        }
        Step::Done
    }

    /// SVG has names in mixed case, which the tokenizer lowered.
    fn adjust_svg_name(&mut self) {
        let name = self.tokenizer.names.text(self.tag_name());
        if let Some(mixed) = SVG_NAMES.iter().find(|mixed| mixed.eq_ignore_ascii_case(name)) {
            self.tokenizer.tag.name = Some(self.tokenizer.names.intern(mixed));
        }
    }

    fn adjust_attributes(&mut self, space: Namespace) {
        let mixed_names: &[&str] = match space {
            Namespace::Svg => &SVG_ATTRIBUTES,
            Namespace::MathMl => &["definitionURL"],
            Namespace::Html => &[],
        };
        for attribute in &mut self.tokenizer.tag.attributes {
            let name = self.tokenizer.names.text(attribute.name);
            if let Some(mixed) = mixed_names.iter().find(|mixed| mixed.eq_ignore_ascii_case(name)) {
                attribute.name = self.tokenizer.names.intern(mixed);
            }
        }
    }
}

/// MathML elements whose content is text that may hold HTML.
fn is_math_text(space: Namespace, name: Name) -> bool {
    space == Namespace::MathMl && matches!(name, Name::MI | Name::MO | Name::MN | Name::MS | Name::MTEXT)
}

/// Start tags that cannot stand in foreign content.
#[rustfmt::skip]
const HTML_ONLY: [Name; 44] = [
    Name::B, Name::BIG, Name::BLOCKQUOTE, Name::BODY, Name::BR, Name::CENTER, Name::CODE, Name::DD, Name::DIV, Name::DL,
    Name::DT, Name::EM, Name::EMBED, Name::H1, Name::H2, Name::H3, Name::H4, Name::H5, Name::H6, Name::HEAD, Name::HR,
    Name::I, Name::IMG, Name::LI, Name::LISTING, Name::MENU, Name::META, Name::NOBR, Name::OL, Name::P, Name::PRE,
    Name::RUBY, Name::S, Name::SMALL, Name::SPAN, Name::STRONG, Name::STRIKE, Name::SUB, Name::SUP, Name::TABLE,
    Name::TT, Name::U, Name::UL, Name::VAR,
];

#[rustfmt::skip]
const SVG_NAMES: [&str; 37] = [
    "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform", "clipPath", "feBlend",
    "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap",
    "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feImage",
    "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight", "feSpecularLighting", "feSpotLight", "feTile",
    "feTurbulence", "foreignObject", "glyphRef", "linearGradient", "radialGradient", "textPath",
];

#[rustfmt::skip]
const SVG_ATTRIBUTES: [&str; 58] = [
    "attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode", "clipPathUnits", "diffuseConstant",
    "edgeMode", "filterUnits", "glyphRef", "gradientTransform", "gradientUnits", "kernelMatrix", "kernelUnitLength",
    "keyPoints", "keySplines", "keyTimes", "lengthAdjust", "limitingConeAngle", "markerHeight", "markerUnits",
    "markerWidth", "maskContentUnits", "maskUnits", "numOctaves", "pathLength", "patternContentUnits",
    "patternTransform", "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ", "preserveAlpha", "preserveAspectRatio",
    "primitiveUnits", "refX", "refY", "repeatCount", "repeatDur", "requiredExtensions", "requiredFeatures",
    "specularConstant", "specularExponent", "spreadMethod", "startOffset", "stdDeviation", "stitchTiles",
    "surfaceScale", "systemLanguage", "tableValues", "targetX", "targetY", "textLength", "viewBox", "viewTarget",
    "xChannelSelector", "yChannelSelector", "zoomAndPan",
];
