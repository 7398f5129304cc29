//! Single requests beside any crawl: whether a host answers at all, before a run begins (an address
//! without a scheme is tried by https, then by http), and notices that a run gives when it has
//! ended.

use std::time::Duration;

use tokio::runtime::Builder;
use untemplate::page::{Method, Request};
use url::Url;

use crate::client::{Client, ClientOptions, Deadlines, ExchangeOptions};

/// How long a host may take to say anything.
const PATIENCE: Duration = Duration::from_secs(10);

/// Asks the host of an address for its robots.txt, which a crawl asks for in any case; why there is
/// no answer, if there is none. Any answer will do.
pub fn ask_whether_it_answers(url: &Url, options: &ClientOptions) -> Result<(), String> {
    let robots = url.join("/robots.txt").map_err(|error| error.to_string())?;
    exchange_once(&Request::get(robots), options.clone()).map(drop)
}

/// Sends a text of JSON to an address; why it was not taken, if it was not.
pub fn post_json(url: &Url, json: &[u8], options: &ClientOptions) -> Result<(), String> {
    let mut options = options.clone();
    let json_type = ("Content-Type".to_owned(), "application/json".to_owned());
    options.headers.push(json_type);
    let request = Request {
        method: Method::Post,
        url: url.clone(),
        body: json.to_vec(),
    };
    match exchange_once(&request, options)? {
        status if (200..300).contains(&status) => Ok(()),
        status => Err(format!("it answered with status {status}")),
    }
}

/// One request with no archive and no schedule; the status of its answer.
fn exchange_once(request: &Request, options: ClientOptions) -> Result<u16, String> {
    let deadlines = Deadlines {
        connect: PATIENCE,
        first_byte: PATIENCE,
        total: PATIENCE,
        ..options.deadlines
    };
    let options = ClientOptions { deadlines, ..options };
    let text = |error: &dyn std::error::Error| error.to_string();
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| text(&error))?;
    let client = {
        let _context = runtime.enter();
        Client::new(options).map_err(|error| text(&error))?
    };
    let plain = ExchangeOptions::default();
    let answer = runtime.block_on(client.exchange(request, &plain));
    answer.map(|answer| answer.status).map_err(|error| text(&error))
}
