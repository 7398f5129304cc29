//! What of a crawled page is shown: elements and attributes by name, and nothing that is not named.

/// What becomes of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    /// It is shown as it is.
    Keep,
    /// It is shown under another name, since its own would do something.
    Rename(&'static str),
    /// It is shown as a box that says what it was.
    Box,
    /// It is left out with all that is in it.
    Drop,
}

/// What becomes of an HTML element.
pub fn html_treatment(name: &str) -> Treatment {
    match name {
        "noscript" | "frameset" => Treatment::Rename("div"),
        "xmp" | "listing" | "plaintext" => Treatment::Rename("pre"),
        "iframe" | "frame" | "object" | "embed" | "applet" | "video" | "audio" | "canvas" => Treatment::Box,
        name if KEPT.contains(&name) => Treatment::Keep,
        // A custom element without its script is a plain one.
        name if is_custom(name) => Treatment::Keep,
        _ if DROPPED.contains(&name) => Treatment::Drop,
        _ => Treatment::Rename("span"),
    }
}

/// What becomes of an SVG element. MathML is shown as plain text.
pub fn svg_treatment(name: &str) -> Treatment {
    if SVG_KEPT.contains(&name) {
        Treatment::Keep
    } else {
        Treatment::Drop
    }
}

fn is_custom(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    name.contains('-') && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.bytes().all(is_plain)
}

/// Whether an element has no end tag.
pub fn is_void(name: &str) -> bool {
    #[rustfmt::skip]
    const VOID: [&str; 9] = ["area", "br", "col", "hr", "img", "input", "source", "track", "wbr"];
    VOID.contains(&name)
}

/// Whether an attribute is shown as it is.
pub fn is_plain_attribute(name: &str) -> bool {
    name.starts_with("aria-") && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        || PLAIN.contains(&name)
}

/// Whether an attribute of an SVG element is shown.
pub fn is_svg_attribute(name: &str) -> bool {
    SVG_PLAIN.contains(&name) || matches!(name, "class" | "id" | "width" | "height" | "role")
}

#[rustfmt::skip]
const KEPT: [&str; 111] = [
    "a", "abbr", "acronym", "address", "area", "article", "aside", "b", "bdi", "bdo", "big", "blockquote", "body", "br", "button", "caption", "center",
    "cite", "code", "col", "colgroup", "data", "datalist", "dd", "del", "details", "dfn", "dialog", "dir", "div", "dl", "dt", "em", "fieldset",
    "figcaption", "figure", "font", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "i", "img",
    "input", "ins", "kbd", "label", "legend", "li", "main", "map", "mark", "marquee", "menu", "meter", "nav", "nobr", "ol", "optgroup", "option",
    "output", "p", "picture", "pre", "progress", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "search", "section", "select", "small", "span",
    "strike", "strong", "style", "sub", "summary", "sup", "svg", "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "time", "title", "tr",
    "tt", "u", "ul", "var", "wbr", "link", "blink",
];

#[rustfmt::skip]
const DROPPED: [&str; 14] = ["noframes", "noembed", "portal", "fencedframe", "base", "bgsound", "keygen", "meta", "param", "script", "source", "template", "track", "slot"];

#[rustfmt::skip]
const PLAIN: [&str; 62] = [
    "align", "alt", "bgcolor", "border", "cellpadding", "cellspacing", "checked", "class", "clear", "color", "cols", "colspan", "compact", "coords", "datetime",
    "dir", "disabled", "face", "for", "frame", "headers", "height", "hidden", "hspace", "id", "itemprop", "label", "lang", "list", "max", "maxlength", "media", "min",
    "multiple", "noshade", "nowrap", "open", "pattern", "placeholder", "readonly", "reversed", "role", "rows", "rowspan", "rules", "scope",
    "selected", "shape", "size", "span", "start", "step", "summary", "tabindex", "text", "title", "valign", "value", "vspace", "width", "wrap", "link",
];

#[rustfmt::skip]
const SVG_KEPT: [&str; 20] = [
    "svg", "g", "path", "circle", "ellipse", "line", "polygon", "polyline", "rect", "text", "tspan", "title", "desc", "defs", "linearGradient",
    "radialGradient", "stop", "symbol", "clipPath", "mask",
];

#[rustfmt::skip]
const SVG_PLAIN: [&str; 38] = [
    "viewBox", "preserveAspectRatio", "d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "ry", "dx", "dy", "points", "transform", "offset",
    "fill-rule", "fill-opacity", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "stroke-opacity", "stop-color", "stop-opacity",
    "opacity", "font-size", "font-family", "font-weight", "text-anchor", "gradientUnits", "gradientTransform", "pathLength", "stroke-miterlimit", "clip-rule",
];
