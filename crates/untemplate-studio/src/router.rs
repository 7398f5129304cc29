//! The one router: which path leads to which part.
//!
//! All paths begin with a secret: those of the studio with the key, those that crawled pages know
//! of with the pass (see [`access`](crate::safe::access)). Each part has its own routes; a new part
//! is a line here.

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;

use crate::safe::access::guard;
use crate::studio::StudioState;
use crate::{assets, jobs, look, teach};

/// What handlers get to see.
pub type Shared = axum::extract::State<Arc<StudioState>>;

/// All routes, behind the access check.
pub fn router(studio: Arc<StudioState>) -> Router {
    let own_routes = Router::new()
        .merge(look::routes())
        .merge(jobs::routes())
        .merge(teach::routes())
        .merge(assets::routes());
    let (key, pass) = (format!("/{}", studio.access.key), format!("/{}", studio.access.pass));
    let home = key.clone();
    let access = Arc::clone(&studio.access);
    Router::new()
        .route(&format!("{key}/"), get(move || async move { Redirect::to(&home) }))
        .nest(&key, own_routes)
        .nest(&pass, teach::view_routes().merge(look::view_routes()))
        .fallback(nothing)
        .layer(from_fn_with_state(access, guard))
        .with_state(studio)
}

async fn nothing() -> impl IntoResponse {
    (StatusCode::NOT_FOUND, "There is no such page in the studio.")
}
