//! What comes of a request beside the page: one that its scripts make while it is rendered.

use untemplate::page::{Request, Response};

/// What came of a request of a page's scripts.
#[derive(Debug)]
pub enum Beside {
    /// An answer, whatever its status.
    Given(Box<Response>),
    /// Nobody here answers for its address.
    Nobody,
    /// It was refused, by robots.txt for one, or it failed: the page may lack something.
    Failed,
    /// Nothing is asked for any more: a limit was reached, or somebody said stop.
    Stopped,
}

impl Beside {
    /// An answer.
    pub fn given(response: Response) -> Self {
        Self::Given(Box::new(response))
    }
}

/// Who is asked for what a page's scripts want.
pub(super) type Answer<'a> = dyn FnMut(&Request) -> Beside + 'a;
