//! Whether a host answers at all, before a run begins: an address without a scheme is tried by https, then by http.

use std::time::Duration;

use tokio::runtime::Builder;
use untemplate::page::Request;
use url::Url;

use crate::client::{Client, ClientOptions, Deadlines, ExchangeOptions};

/// How long a host may take to say anything.
const PATIENCE: Duration = Duration::from_secs(10);

/// Asks the host of an address for its robots.txt, which a crawl asks for in any case; why there is no answer, if there is
/// none. Any answer will do.
pub fn ask_whether_it_answers(url: &Url, options: &ClientOptions) -> Result<(), String> {
    let deadlines = Deadlines {
        connect: PATIENCE,
        first_byte: PATIENCE,
        total: PATIENCE,
        ..options.deadlines
    };
    let options = ClientOptions {
        deadlines,
        ..options.clone()
    };
    let text = |error: &dyn std::error::Error| error.to_string();
    let robots = url.join("/robots.txt").map_err(|error| text(&error))?;
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| text(&error))?;
    let client = {
        let _context = runtime.enter();
        Client::new(options).map_err(|error| text(&error))?
    };
    let (request, plain) = (Request::get(robots), ExchangeOptions::default());
    let exchange = client.exchange(&request, &plain);
    runtime.block_on(exchange).map(drop).map_err(|error| text(&error))
}
