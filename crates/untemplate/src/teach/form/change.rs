//! Whether sending a form may change something on the site.
//!
//! Nobody can know from outside; what is refused by mistake is named and sent, what is sent by
//! mistake is done. So, a form may change something
//!
//! - when it has a password or a file, whatever its method;
//! - when one of its own words says so beyond doubt (delete, checkout, unsubscribe), whatever its
//!   method;
//! - when it is sent by POST and has an e-mail address or a text of several lines: it writes to
//!   somebody;
//! - when it is sent by POST and has nothing to fill in: it is a button that does something;
//! - when it is sent by POST and what its buttons say may be a deed (order, add, update) and is no
//!   search;
//! - when it is sent by POST and neither its buttons nor its address or name speak of a search, but
//!   one of them may speak of a deed.
//!
//! Its words are those of its address, name, class and id, its buttons, and of hidden fields that
//! say what it does. Names of its other fields and their options are what one looks for, not what
//! happens.

use super::control::{ControlKind, Form};
use crate::page::Method;

/// Words of deeds.
#[rustfmt::skip]
const DEEDS: [&str; 42] = [
    "delete", "remove", "destroy", "unsubscribe", "checkout", "purchase", "buy", "pay", "payment", "donate", "logout", "signout",
    "login", "signin", "signup", "register", "registration", "subscribe", "upload", "vote", "upvote", "downvote", "password",
    "löschen", "kaufen", "bestellen", "anmelden", "abmelden", "registrieren", "bezahlen",
    "supprimer", "acheter", "commander", "payer", "eliminar", "borrar", "comprar", "pagar", "acquista", "elimina", "cancella", "paga",
];

/// Words that may be of deeds.
#[rustfmt::skip]
const LIKELY_DEEDS: [&str; 42] = [
    "accept", "add", "agree", "bid", "apply", "basket", "book", "booking", "bookmark", "cancel", "cart", "comment", "comments", "confirm", "contact", "create", "edit",
    "feedback", "flag", "follow", "insert", "invite", "join", "like", "message", "newsletter", "order", "post", "publish", "rate",
    "rating", "reply", "report", "reserve", "review", "save", "send", "share", "sign", "store", "update", "write",
];

/// Words of looking something up. Words such as "list" and "show" are in the addresses of deeds,
/// too.
#[rustfmt::skip]
const LOOKUPS: [&str; 18] = [
    "search", "searching", "find", "finder", "filter", "query", "lookup", "browse",
    "suche", "suchen", "finden", "rechercher", "recherche", "chercher", "buscar", "busca", "cerca", "ricerca",
];

/// Why sending a form may change something on the site; `None` when nothing speaks for it.
pub fn may_change(form: &Form) -> Option<String> {
    let has = |kind: ControlKind| form.controls.iter().any(|control| control.kind == kind);
    let all = || form.button_words.iter().chain(&form.words);
    let said = |word: &String| format!("one of its words is {word:?}");
    if has(ControlKind::Password) {
        return Some("it has a password field".to_owned());
    }
    if has(ControlKind::File) {
        return Some("it has a file field".to_owned());
    }
    if let Some(word) = all().find(|word| DEEDS.contains(&word.as_str())) {
        return Some(said(word));
    }
    if form.method == Method::Get {
        return None;
    }
    if has(ControlKind::Area) || has(ControlKind::Email) {
        return Some("it is sent by POST and has a field to write in or an e-mail address".to_owned());
    }
    let is_lookup = |word: &String| LOOKUPS.contains(&word.as_str());
    let is_likely_deed = |word: &&String| LIKELY_DEEDS.contains(&word.as_str());
    if form.button_words.iter().any(is_lookup) {
        return None;
    }
    // A button with nothing but hidden fields does something; it asks nothing.
    let is_choice = |kind| !matches!(kind, ControlKind::Hidden | ControlKind::Submit);
    if !form.controls.iter().any(|control| is_choice(control.kind)) {
        return Some("it is sent by POST and has nothing to fill in".to_owned());
    }
    let by_button = form.button_words.iter().find(is_likely_deed);
    let by_name = || {
        form.words
            .iter()
            .find(is_likely_deed)
            .filter(|_| !form.words.iter().any(is_lookup))
    };
    by_button.or_else(by_name).map(said)
}
