//! Names: the tags and attributes of pages, as small integers.
//!
//! The names that the HTML standard knows have fixed numbers, so that code can match on them and
//! pages can compare them; others get a number in the page where they occur. [`Names`] turns
//! numbers back into text.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// The name of an element or attribute, in lower case but for the few of SVG and MathML that are
/// not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(u32);

impl Name {
    /// The number, as an index below [`Names::count`] for tables beside the page's.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether the number means the same name on every page.
    #[inline]
    pub fn is_known(self) -> bool {
        (self.0 as usize) < KNOWN.len()
    }

    /// The text of a name that [`Name::is_known`].
    #[inline]
    pub fn known_text(self) -> Option<&'static str> {
        KNOWN.get(self.0 as usize).copied()
    }
}

/// The names of one page: the known ones, and those that it alone has.
#[derive(Debug, Clone, Default)]
pub struct Names {
    extra: Vec<Box<str>>,
    extra_by_text: HashTable<u32>,
}

impl Names {
    /// The number of a name, a new one if need be.
    pub fn intern(&mut self, text: &str) -> Name {
        let hash = HASHER.hash_one(text);
        if let Some(&index) = KNOWN_BY_TEXT.find(hash, |&index| KNOWN[index as usize] == text) {
            return Name(index);
        }
        let extra = &self.extra;
        if let Some(&index) = self.extra_by_text.find(hash, |&index| *extra[index as usize] == *text) {
            return Name(KNOWN.len() as u32 + index);
        }
        let index = self.extra.len() as u32;
        self.extra.push(text.into());
        let extra = &self.extra;
        self.extra_by_text
            .insert_unique(hash, index, |&index| HASHER.hash_one(&*extra[index as usize]));
        Name(KNOWN.len() as u32 + index)
    }

    /// The number of a name, if any node of the page may have it.
    pub fn find(&self, text: &str) -> Option<Name> {
        let hash = HASHER.hash_one(text);
        if let Some(&index) = KNOWN_BY_TEXT.find(hash, |&index| KNOWN[index as usize] == text) {
            return Some(Name(index));
        }
        let index = self
            .extra_by_text
            .find(hash, |&index| *self.extra[index as usize] == *text)?;
        Some(Name(KNOWN.len() as u32 + index))
    }

    /// The text of a name of this page.
    #[inline]
    pub fn text(&self, name: Name) -> &str {
        match name.known_text() {
            Some(text) => text,
            None => &self.extra[name.0 as usize - KNOWN.len()],
        }
    }

    /// How many distinct numbers the page's names may have.
    #[inline]
    pub fn count(&self) -> usize {
        KNOWN.len() + self.extra.len()
    }
}

const HASHER: FixedState = FixedState::with_seed(0x6e61_6d65);

static KNOWN_BY_TEXT: LazyLock<HashTable<u32>> = LazyLock::new(|| {
    let mut table = HashTable::with_capacity(KNOWN.len());
    for (index, text) in KNOWN.iter().enumerate() {
        table.insert_unique(HASHER.hash_one(text), index as u32, |&index| {
            HASHER.hash_one(KNOWN[index as usize])
        });
    }
    table
});

macro_rules! names {
    ($($constant:ident $text:literal)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($constant),* }

        #[allow(missing_docs)]
        impl Name {
            $(pub const $constant: Name = Name(Number::$constant as u32);)*
        }

        const KNOWN: &[&str] = &[$($text),*];

        /// How many names have fixed numbers.
        pub(super) const KNOWN_COUNT: usize = KNOWN.len();
    };
}

names! {
    A "a" ABBR "abbr" ADDRESS "address" ANNOTATION_XML "annotation-xml" APPLET "applet" AREA "area"
    ARTICLE "article" ASIDE "aside" AUDIO "audio" B "b" BASE "base" BASEFONT "basefont" BDI "bdi" BDO "bdo"
    BGSOUND "bgsound" BIG "big" BLOCKQUOTE "blockquote" BODY "body" BR "br" BUTTON "button" CANVAS "canvas"
    CAPTION "caption" CENTER "center" CITE "cite" CODE "code" COL "col" COLGROUP "colgroup" DATA "data"
    DATALIST "datalist" DD "dd" DEL "del" DESC "desc" DETAILS "details" DFN "dfn" DIALOG "dialog" DIR "dir"
    DIV "div" DL "dl" DT "dt" EM "em" EMBED "embed" FIELDSET "fieldset" FIGCAPTION "figcaption"
    FIGURE "figure" FONT "font" FOOTER "footer" FOREIGN_OBJECT "foreignObject" FORM "form" FRAME "frame"
    FRAMESET "frameset" H1 "h1" H2 "h2" H3 "h3" H4 "h4" H5 "h5" H6 "h6" HEAD "head" HEADER "header"
    HGROUP "hgroup" HR "hr" HTML "html" I "i" IFRAME "iframe" IMAGE "image" IMG "img" INPUT "input" INS "ins"
    KBD "kbd" KEYGEN "keygen" LABEL "label" LEGEND "legend" LI "li" LINK "link" LISTING "listing" MAIN "main"
    MALIGNMARK "malignmark" MAP "map" MARK "mark" MARQUEE "marquee" MATH "math" MENU "menu" META "meta"
    METER "meter" MGLYPH "mglyph" MI "mi" MN "mn" MO "mo" MS "ms" MTEXT "mtext" NAV "nav" NOBR "nobr"
    NOEMBED "noembed" NOFRAMES "noframes" NOSCRIPT "noscript" OBJECT "object" OL "ol" OPTGROUP "optgroup"
    OPTION "option" OUTPUT "output" P "p" PARAM "param" PATH "path" PICTURE "picture" PLAINTEXT "plaintext"
    PRE "pre" PROGRESS "progress" Q "q" RB "rb" RP "rp" RT "rt" RTC "rtc" RUBY "ruby" S "s" SAMP "samp"
    SCRIPT "script" SEARCH "search" SECTION "section" SELECT "select" SMALL "small" SOURCE "source"
    SPAN "span" STRIKE "strike" STRONG "strong" STYLE "style" SUB "sub" SUMMARY "summary" SUP "sup" SVG "svg"
    TABLE "table" TBODY "tbody" TD "td" TEMPLATE "template" TEXTAREA "textarea" TFOOT "tfoot" TH "th"
    THEAD "thead" TIME "time" TITLE "title" TR "tr" TRACK "track" TT "tt" U "u" UL "ul" VAR "var"
    VIDEO "video" WBR "wbr" XMP "xmp"
    ALIGN "align" ALT "alt" BGCOLOR "bgcolor" BORDER "border" CELLPADDING "cellpadding"
    CELLSPACING "cellspacing" CHARSET "charset" CLASS "class" COLOR "color" COLSPAN "colspan"
    CONTENT "content" DATETIME "datetime" ENCODING "encoding" FACE "face" HEIGHT "height" HREF "href"
    HTTP_EQUIV "http-equiv" ID "id" ITEMPROP "itemprop" LANG "lang" METHOD "method" NAME "name" ONCLICK "onclick"
    PROPERTY "property" REL "rel" ROLE "role" ROWSPAN "rowspan" SELECTED "selected" SIZE "size" SRC "src"
    TABINDEX "tabindex" TARGET "target" TYPE "type" VALIGN "valign" VALUE "value" WIDTH "width" ACTION "action"
}
