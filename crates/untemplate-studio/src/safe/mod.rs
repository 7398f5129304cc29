//! What stands between a page from the web and this machine.
//!
//! 1. [`access`]: who may ask at all. The server listens on loopback; its address begins with a
//!    secret made at every start; the host that is asked for must be our own, so that no name of
//!    somebody else's leads here; what changes something must come from our own pages.
//! 2. [`sieve`]: a crawled page as HTML again, written from our own tree by a list of what is
//!    allowed: no scripts, no handlers, no frames, no addresses but our own. [`style`] does the
//!    same for style sheets.
//! 3. [`policy`]: the content security policies. Crawled pages are shown in a frame of an origin of
//!    their own, where only one script may run: ours, by a number used once. So whatever slipped
//!    through the sieve is still nothing but dead text.
//! 4. [`secret`]: numbers that nobody guesses.

pub mod access;
pub mod policy;
pub mod secret;
pub mod sieve;
pub mod style;
pub mod tags;

#[cfg(test)]
mod sieve_tests;
