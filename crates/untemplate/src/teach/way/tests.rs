//! Ways on a small site: what is followed, what is asked, what is refused.
