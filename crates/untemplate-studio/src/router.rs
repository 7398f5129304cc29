//! The one router: which path leads to which part.
//!
//! All paths begin with a secret: those of the studio with the key, those that crawled pages know of with the pass (see [`door`](crate::safe::door)). Each part has its own routes;
//! a new part is a line here.

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;

use crate::safe::door::guard;
use crate::studio::Hall;
use crate::{assets, jobs, look, teach};

/// What handlers get to see.
pub type Shared = axum::extract::State<Arc<Hall>>;

/// All routes, behind the door.
pub fn router(hall: Arc<Hall>) -> Router {
    let studio = Router::new()
        .merge(look::routes())
        .merge(jobs::routes())
        .merge(teach::routes())
        .merge(assets::routes());
    let (key, pass) = (format!("/{}", hall.door.key), format!("/{}", hall.door.pass));
    let home = key.clone();
    let door = Arc::clone(&hall.door);
    Router::new()
        .route(&format!("{key}/"), get(move || async move { Redirect::to(&home) }))
        .nest(&key, studio)
        .nest(&pass, teach::view_routes().merge(look::view_routes()))
        .fallback(nothing)
        .layer(from_fn_with_state(door, guard))
        .with_state(hall)
}

async fn nothing() -> impl IntoResponse {
    (StatusCode::NOT_FOUND, "There is no such page in the studio.")
}
