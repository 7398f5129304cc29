//! Rendering: pages whose links or text exist only after their scripts ran.
//!
//! In: a page as it was fetched. Out: the same page as a browser shows it, as HTML again. The
//! machine's Chromium is driven over its own protocol, through a pair of pipes: when this program
//! dies, however it dies, the browser reads the end of its pipe and leaves too, so nothing is
//! orphaned.
//!
//! The browser never touches the network. Everything that a page's scripts ask for is answered by
//! the page source that answered for the page, so robots, delays, `--public-only`, mirrors and WARC
//! files hold for it as well; what no source answers for fails. Its clock is virtual: timers run at
//! once, waiting for an answer takes no time of it. So the same answers give the same page.
//!
//! 1. `browser` finds Chromium and starts it with a profile of its own; `pipe` carries the
//!    messages.
//! 2. `tab` renders one page: intercepts its requests (`request`), has them answered (`beside`),
//!    lets virtual time run out, reads the tree (`tree`).
//! 3. `choice` decides for `--render=auto`, per URL pattern, whether rendering is worth it.
//! 4. `renderer` keeps the browser and what it learnt; `source` is a page source whose pages are
//!    rendered.

mod beside;
mod browser;
mod choice;
mod error;
mod pipe;
mod renderer;
mod request;
mod source;
mod tab;
mod tree;

pub use beside::Beside;
pub use browser::{Browser, BrowserOptions, find_browser};
pub use choice::{RenderChoice, Worth, is_richer};
pub use error::RenderError;
pub(crate) use renderer::not_rendered;
pub use renderer::{RenderMode, Renderer};
pub use source::RenderedSource;
pub use tab::{RenderLimits, render};

#[cfg(test)]
mod tests;
