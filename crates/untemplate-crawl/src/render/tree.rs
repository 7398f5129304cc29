//! Reading the tree that the browser shows, as HTML that our parser makes the same tree of.
//!
//! It is read in a world of its own, where no script of the page has changed what objects do.
//! Elements with names still stand before a document's own properties there (`<img name=head>`), so
//! these are taken from the prototypes.

/// Takes the page's address and the most characters; gives the HTML.
///
/// What a `noscript` holds is no content where scripts run; it is emptied, since a parser without
/// scripts would take it for elements. Open shadow trees are shown in their hosts' places. Where
/// scripts changed the address, a `base` keeps relative links right.
pub(super) const READ_TREE: &str = r#"(address, limit) => {
  const own = (type, name, object) => Object.getOwnPropertyDescriptor(type.prototype, name).get.call(object);
  const all = (root, selector) => {
    const type = root === document ? Document : DocumentFragment;
    return [...type.prototype.querySelectorAll.call(root, selector)];
  };
  const flatten = (root) => {
    for (const host of all(root, '*')) {
      const shadow = own(Element, 'shadowRoot', host);
      if (!shadow) continue;
      flatten(shadow);
      for (const slot of all(shadow, 'slot')) {
        const given = slot.assignedNodes();
        slot.replaceWith(...(given.length ? given : slot.childNodes));
      }
      host.replaceChildren(...shadow.childNodes);
    }
  };
  try { flatten(document); } catch (_) {}
  for (const silent of all(document, 'noscript')) silent.textContent = '';
  const here = own(Node, 'baseURI', document).split('#')[0];
  const head = own(Document, 'head', document);
  if (head && !all(document, 'base[href]').length && here !== address.split('#')[0]) {
    const base = Document.prototype.createElement.call(document, 'base');
    base.href = here;
    head.prepend(base);
  }
  const doctype = own(Document, 'doctype', document);
  const root = own(Document, 'documentElement', document);
  let html = doctype ? new XMLSerializer().serializeToString(doctype) : '';
  html += root ? own(Element, 'outerHTML', root) : '';
  // One character more than may be tells that it is too long; half a pair of surrogates is no JSON.
  html = html.slice(0, limit + 1);
  return html.toWellFormed ? html.toWellFormed() : html;
}"#;

/// Cuts a text to this many bytes at the most, between two characters; tells whether anything was
/// cut.
pub(super) fn cut(text: &mut String, bytes_max: usize) -> bool {
    if text.len() <= bytes_max {
        return false;
    }
    let mut end = bytes_max;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_fall_between_characters() {
        let check = |text: &str, bytes_max: usize, expected: &str, is_cut: bool| {
            let mut text = text.to_owned();
            assert_eq!(cut(&mut text, bytes_max), is_cut);
            assert_eq!(text, expected);
        };
        check("añb", 4, "añb", false);
        check("añb", 3, "añ", true);
        check("añb", 2, "a", true);
        check("añb", 0, "", true);
    }
}
