//! The tree construction suite: `.dat` cases with the tree they give, scripting off and on.

use super::super::super::dom::{Dom, Namespace, NodeId, NodeKind};
use super::super::super::name::Name;
use super::super::Limits;
use super::super::builder::{Mode, TreeBuilder};
use super::super::parse::plain_line_ends;
use super::super::tokenizer::TextKind;
use super::super::tree::{InsertionPoint, Tree};
use super::{Exception, Tally, suite_files, suite_folder};

const SCRIPT: &str = "needs a script to run while the page is parsed";
const SELECTED: &str = "copies the chosen option into selectedcontent, which would count a value twice";

const EXCEPTIONS: &[Exception] = &[
    ("scripted_adoption01.dat", 0, SCRIPT),
    ("scripted_ark.dat", 0, SCRIPT),
    ("scripted_foster01.dat", 0, SCRIPT),
    ("scripted_foster01.dat", 1, SCRIPT),
    ("scripted_webkit01.dat", 0, SCRIPT),
    ("scripted_webkit01.dat", 1, SCRIPT),
    ("webkit02.dat", 44, SELECTED),
    ("webkit02.dat", 45, SELECTED),
    ("webkit02.dat", 46, SELECTED),
    ("webkit02.dat", 47, SELECTED),
];

#[test]
fn suite_html_tree() {
    let Some(folder) = suite_folder("html-parsing") else {
        return;
    };
    let mut tally = Tally::default();
    for (file, bytes) in suite_files(&folder, ".dat") {
        for (number, case) in cases(&String::from_utf8_lossy(&bytes)).iter().enumerate() {
            let scripting: &[bool] = match case.scripting {
                Some(true) => &[true],
                Some(false) => &[false],
                None => &[false, true],
            };
            let failure = scripting.iter().find_map(|&scripting| failure(case, scripting));
            tally.count(&file, number, failure, EXCEPTIONS);
        }
    }
    tally.close("html-parsing");
}

#[derive(Default)]
struct Case {
    data: String,
    fragment: Option<String>,
    scripting: Option<bool>,
    document: String,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut section = "";
    for line in text.split('\n') {
        let case = match line {
            "#data" => {
                cases.push(Case::default());
                section = line;
                continue;
            }
            "#errors" | "#new-errors" | "#document-fragment" | "#document" => {
                section = line;
                continue;
            }
            _ => cases.last_mut(),
        };
        let Some(case) = case else { continue };
        match (section, line) {
            (_, "#script-on") if section != "#data" => case.scripting = Some(true),
            (_, "#script-off") if section != "#data" => case.scripting = Some(false),
            ("#data", _) => case.data.push_str(&format!("{line}\n")),
            ("#document-fragment", _) => case.fragment = Some(line.to_owned()),
            ("#document", _) => case.document.push_str(&format!("{line}\n")),
            _ => {}
        }
    }
    for case in &mut cases {
        case.data.pop();
        case.document = case.document.trim_end_matches('\n').to_owned();
    }
    cases
}

fn failure(case: &Case, scripting: bool) -> Option<String> {
    let data = plain_line_ends(&case.data);
    let mut builder = TreeBuilder::new(&data, scripting, Limits::default());
    if let Some(context) = &case.fragment {
        begin_fragment(&mut builder, context);
    }
    builder.run();
    let dom = builder.finish();
    let found = dump(&dom, case.fragment.is_some());
    (found != case.document).then(|| {
        format!(
            "{data:?} (scripting {scripting}): found\n{found}\nexpected\n{}",
            case.document
        )
    })
}

/// Sets a builder up for a fragment, as `innerHTML` does.
fn begin_fragment(builder: &mut TreeBuilder<'_>, context: &str) {
    let (space, name) = match context.split_once(' ') {
        Some(("svg", name)) => (Namespace::Svg, name),
        Some(("math", name)) => (Namespace::MathMl, name),
        _ => (Namespace::Html, context),
    };
    let name = builder.tokenizer.names.intern(name);
    let context = builder.tree.create_element(space, name, &[]);
    builder.context = Some(context);
    if space == Namespace::Html {
        builder.tokenizer.text_kind = match name {
            Name::TITLE | Name::TEXTAREA => TextKind::EscapableRaw,
            Name::STYLE | Name::XMP | Name::IFRAME | Name::NOEMBED | Name::NOFRAMES => TextKind::Raw,
            Name::NOSCRIPT if builder.scripting => TextKind::Raw,
            Name::SCRIPT => TextKind::Script,
            Name::PLAINTEXT => TextKind::Plain,
            _ => TextKind::Data,
        };
        if name == Name::TEMPLATE {
            builder.template_modes.push(Mode::InTemplate);
        }
        if name == Name::FORM {
            builder.form = Some(context);
        }
    }
    let root = builder.tree.create_element(Namespace::Html, Name::HTML, &[]);
    builder.tree.insert(root, InsertionPoint::LastIn(Tree::DOCUMENT));
    builder.stack.push(root);
    builder.reset_mode();
}

/// The tree as the suite prints it.
fn dump(dom: &Dom, fragment: bool) -> String {
    let root = if fragment {
        dom.first_child(NodeId::DOCUMENT).unwrap_or(NodeId::DOCUMENT)
    } else {
        NodeId::DOCUMENT
    };
    let mut lines = Vec::new();
    for node in dom.subtree(root).skip(1) {
        let indent = "  ".repeat(dom.depth(node) - dom.depth(root) - 1);
        let line = match dom.kind(node) {
            NodeKind::Doctype => format!("<!DOCTYPE {}>", dom.text(node)),
            NodeKind::Comment => format!("<!-- {} -->", dom.text(node)),
            NodeKind::Instruction => instruction(dom.text(node)),
            NodeKind::Text => format!("\"{}\"", dom.text(node)),
            NodeKind::TemplateContents => "content".to_owned(),
            NodeKind::Element(Namespace::Html) => format!("<{}>", dom.name_text(node)),
            NodeKind::Element(Namespace::Svg) => format!("<svg {}>", dom.name_text(node)),
            NodeKind::Element(Namespace::MathMl) => format!("<math {}>", dom.name_text(node)),
            NodeKind::Document => unreachable!("the document is the root"),
        };
        lines.push(format!("| {indent}{line}"));
        let foreign = dom.kind(node) != NodeKind::Element(Namespace::Html);
        let mut attributes: Vec<String> = dom
            .attributes(node)
            .map(|(name, value)| {
                format!(
                    "| {indent}  {}=\"{value}\"",
                    attribute_name(dom.names().text(name), foreign)
                )
            })
            .collect();
        attributes.sort();
        lines.extend(attributes);
    }
    lines.join("\n")
}

/// `<?target data?>`, from the text between `<` and `>`.
fn instruction(text: &str) -> String {
    let text = text[1..].strip_suffix('?').unwrap_or(&text[1..]);
    let end = text
        .find(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c))
        .unwrap_or(text.len());
    format!(
        "<?{} {}?>",
        &text[..end],
        text[end..].trim_start_matches([' ', '\t', '\n', '\x0C'])
    )
}

/// Foreign attributes have a prefix, which the suite sets apart by a blank.
fn attribute_name(name: &str, foreign: bool) -> String {
    const PREFIXED: [&str; 10] = [
        "xlink:actuate",
        "xlink:arcrole",
        "xlink:href",
        "xlink:role",
        "xlink:show",
        "xlink:title",
        "xlink:type",
        "xml:lang",
        "xml:space",
        "xmlns:xlink",
    ];
    if foreign && PREFIXED.contains(&name) {
        name.replacen(':', " ", 1)
    } else {
        name.to_owned()
    }
}
