//! Teach: a page as it was fetched, and a panel beside it that makes of clicks and answers a
//! specification.
//!
//! What a person says are [`Choice`](untemplate::teach::Choice)s, kept in a file after each
//! ([`room`]). Everything shown follows from them and from the pages: the address of a view says
//! what is looked at, the server answers with what follows, so that a reload, the back button and a
//! second tab need no care of their own.
//!
//! 1. [`asked`]: what a view's address says. [`view`]: the page in its frame, and what it shows.
//! 2. [`panel`]: the parts beside it: [`pick`] what was clicked ([`picked`]), [`form_pick`] a form
//!    that was filled in, [`question`] what is in doubt, [`proposal`] and [`rows`] what may be
//!    wanted beside it, [`fields`] and [`navigation`] what is known.
//! 3. [`act`]: choices, those about fields in [`shaping`]. [`run`]: the whole site by what was
//!    taught. [`export`]: the specification, and the examples and answers as `learn` reads them.

pub mod act;
pub mod asked;
pub mod export;
pub mod fields;
pub mod form_pick;
pub mod lobby;
pub mod marks;
pub mod naming;
pub mod navigation;
pub mod panel;
pub mod pick;
pub mod picked;
pub mod proposal;
pub mod question;
pub mod room;
pub mod rows;
pub mod run;
pub mod shaping;
pub mod view;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

pub use lobby::lesson_list;
pub use room::Room;

use crate::studio::StudioState;

/// `/teach` and below.
pub fn routes() -> Router<Arc<StudioState>> {
    Router::new()
        .route("/teach", get(lobby::lobby).post(lobby::begin))
        .route("/teach/{room}", get(panel::whole))
        .route("/teach/{room}/do", post(act::act))
        .route("/teach/{room}/run", post(run::run))
        .route("/teach/{room}/matches", get(shaping::matches))
        .route("/teach/{room}/specification", get(export::show))
        .route("/teach/{room}/specification.xml", get(export::specification))
        .route("/teach/{room}/class.xml", get(export::class))
        .route("/teach/{room}/examples.json", get(export::examples))
        .route("/teach/{room}/answers.json", get(export::answers))
}

/// What crawled pages know of: themselves, and what they show.
pub fn view_routes() -> Router<Arc<StudioState>> {
    Router::new()
        .route("/{room}/page", get(view::page))
        .route("/{room}/resource", get(view::resource))
}
