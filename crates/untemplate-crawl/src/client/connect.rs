//! Connecting: the HTTP client below ours, and which addresses it may dial.
//!
//! A name is looked up once for a connection, and only what was looked up is dialled: a name that
//! answers differently the second time gains nothing. Of a name, all addresses must be allowed:
//! one that leads to a private address as well is a private one. An address in place of a name is
//! never looked up, so it is judged before anything is sent, and so is its origin.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Certificate, ClientBuilder};
use url::{Host, Origin, Url};

use super::error::{ClientError, ExchangeError, NoAddressFound, NotPublicAddress, reasons};
use super::options::{ClientOptions, Resolver};

/// Which addresses may be dialled.
pub(super) type AddressRule = fn(IpAddr) -> bool;

/// Addresses of one name that are tried; who has more gets the first ones asked.
const ADDRESSES_MAX: usize = 16;

/// How long an idle connection is kept. The usual politeness delay is far below it.
const IDLE_MAX: Duration = Duration::from_secs(60);

/// What dials.
pub(super) struct Connector {
    pub(super) http: reqwest::Client,
    /// Why no https address can be fetched, if so.
    pub(super) no_certificates: Option<String>,
    pub(super) rule: Option<AddressRule>,
    /// The only origin that is asked, if there is but one.
    only_origin: Option<Origin>,
}

impl Connector {
    /// A connector that dials only what the rule allows.
    pub(super) fn new(options: &ClientOptions, rule: Option<AddressRule>) -> Result<Self, ClientError> {
        // Whoever installed a provider before us has chosen; an error here says only that.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let roots: Result<Vec<Certificate>, _> = options
            .extra_roots
            .iter()
            .map(|der| Certificate::from_der(der))
            .collect();
        let roots = roots.map_err(setup_error)?;
        let builder = || builder(options, rule);
        // A machine without certificates can still fetch what is not encrypted.
        let (http, no_certificates) = match builder().tls_certs_merge(roots.clone()).build() {
            Ok(http) => (http, None),
            Err(error) => {
                let reason = roots.is_empty().then(|| reasons(&error));
                (builder().tls_certs_only(roots).build().map_err(setup_error)?, reason)
            }
        };
        Ok(Self {
            http,
            no_certificates,
            rule,
            only_origin: options.only_origin.as_ref().map(Url::origin),
        })
    }

    /// Refuses what can be refused before anything is sent.
    pub(super) fn check(&self, url: &Url) -> Result<(), ExchangeError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(ExchangeError::NotHttp { url: url.clone() });
        }
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            Some(Host::Domain(_)) => None,
            None => return Err(ExchangeError::NotHttp { url: url.clone() }),
        };
        self.check_address(url, literal)?;
        if let Some(home) = self.only_origin.as_ref().filter(|&home| *home != url.origin()) {
            return Err(ExchangeError::OtherOrigin {
                url: url.clone(),
                home: home.ascii_serialization(),
            });
        }
        match &self.no_certificates {
            Some(reason) if url.scheme() == "https" => Err(ExchangeError::NoCertificates {
                url: url.clone(),
                reason: reason.clone(),
            }),
            _ => Ok(()),
        }
    }

    /// Refuses an address that may not be dialled.
    pub(super) fn check_address(&self, url: &Url, address: Option<IpAddr>) -> Result<(), ExchangeError> {
        match (self.rule, address) {
            (Some(rule), Some(address)) if !rule(address) => Err(ExchangeError::NotPublic {
                url: url.clone(),
                address,
            }),
            _ => Ok(()),
        }
    }
}

fn setup_error(error: reqwest::Error) -> ClientError {
    ClientError::Setup {
        reason: reasons(&error),
    }
}

fn builder(options: &ClientOptions, rule: Option<AddressRule>) -> ClientBuilder {
    let header_bytes_max = u32::try_from(options.header_bytes_max).unwrap_or(u32::MAX);
    let builder = reqwest::Client::builder()
        .connect_timeout(options.deadlines.connect)
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        // One request at a time for each host is the rule, so one idle connection is all that is of
        // use.
        .pool_max_idle_per_host(1)
        .pool_idle_timeout(IDLE_MAX)
        // Encodings are undone by us, within limits.
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
        .http1_max_headers(options.headers_max)
        .http2_max_header_list_size(header_bytes_max)
        // Browsers read such answers, so there are sites that give them.
        .http1_allow_obsolete_multiline_headers_in_responses(true)
        .http1_allow_spaces_after_header_name_in_responses(true)
        .http1_ignore_invalid_headers_in_responses(true)
        .dns_resolver(FilteredResolver {
            resolver: options.resolver.clone(),
            rule,
        });
    // A proxy dials for us, so that no rule of ours holds behind it.
    if options.use_proxies && rule.is_none() {
        builder
    } else {
        builder.no_proxy()
    }
}

/// Looks names up, and refuses those that lead to what may not be dialled.
struct FilteredResolver {
    resolver: Option<Resolver>,
    rule: Option<AddressRule>,
}

impl Resolve for FilteredResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (resolver, rule) = (self.resolver.clone(), self.rule);
        Box::pin(async move {
            let found = look_up(resolver, name.as_str()).await;
            let found = found.map_err(|error| no_address(error.to_string()))?;
            let is_forbidden = |address: &&IpAddr| rule.is_some_and(|rule| !rule(**address));
            if let Some(&address) = found.iter().find(is_forbidden) {
                return Err(NotPublicAddress { address }.into());
            }
            if found.is_empty() {
                return Err(no_address("the name is not known".to_owned()));
            }
            // Port 0 stands for the port of the request.
            let dialled = found.into_iter().take(ADDRESSES_MAX);
            let addresses: Addrs = Box::new(dialled.map(|address| SocketAddr::new(address, 0)));
            Ok(addresses)
        })
    }
}

fn no_address(reason: String) -> Box<dyn std::error::Error + Send + Sync> {
    NoAddressFound { reason }.into()
}

pub(super) async fn look_up(resolver: Option<Resolver>, name: &str) -> io::Result<Vec<IpAddr>> {
    match resolver {
        Some(resolver) => resolver.0(name),
        None => {
            let addresses = tokio::net::lookup_host((name, 0)).await?;
            Ok(addresses.map(|address| address.ip()).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use untemplate::page::Request;

    use super::super::exchange::Client;
    use super::super::options::ExchangeOptions;
    use super::*;

    /// Everything but this address counts as public here, since no test may leave the machine.
    const FORBIDDEN: [u8; 4] = [127, 0, 0, 66];

    fn rule(address: IpAddr) -> bool {
        address != IpAddr::from(FORBIDDEN)
    }

    /// A server that answers this many connections, and how many it has answered.
    fn serve(address: SocketAddr, connections: usize) -> (SocketAddr, Arc<AtomicUsize>) {
        let listener = TcpListener::bind(address).expect("a free port");
        let (address, count) = (
            listener.local_addr().expect("an address"),
            Arc::new(AtomicUsize::new(0)),
        );
        let counter = count.clone();
        thread::spawn(move || {
            for mut stream in listener.incoming().take(connections).flatten() {
                counter.fetch_add(1, Ordering::SeqCst);
                let _ = stream.set_read_timeout(Some(Duration::from_secs(3)));
                let _ = stream.read(&mut [0; 4096]);
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nHello");
            }
        });
        (address, count)
    }

    #[tokio::test]
    async fn a_name_with_a_forbidden_address_is_not_dialled() {
        let (allowed, n_allowed) = serve("127.0.0.1:0".parse().expect("an address"), 1);
        let (_, n_forbidden) = serve(SocketAddr::from((FORBIDDEN, allowed.port())), 9);
        let n_lookups = Arc::new(AtomicUsize::new(0));
        let counter = n_lookups.clone();
        // The name first has an allowed address, and later, when it seems trusted, one of each
        // kind.
        let resolver = Resolver(Arc::new(move |_: &str| {
            let both = [IpAddr::from([127, 0, 0, 1]), IpAddr::from(FORBIDDEN)];
            let n_given = counter.fetch_add(1, Ordering::SeqCst) + 1;
            Ok(both[..n_given].to_vec())
        }));
        let options = ClientOptions {
            resolver: Some(resolver),
            ..ClientOptions::default()
        };
        let client = Client::with_rule(options, Some(rule)).expect("a client");
        let request = Request::get(
            format!("http://rebind.test:{}/", allowed.port())
                .parse()
                .expect("an address"),
        );
        let first = client
            .exchange(&request, &ExchangeOptions::default())
            .await
            .expect("an answer");
        assert_eq!((first.address, n_lookups.load(Ordering::SeqCst)), (Some(allowed), 1));
        let second = client.exchange(&request, &ExchangeOptions::default()).await;
        assert!(matches!(second, Err(ExchangeError::NotPublic { .. })), "{second:?}");
        let counts = [&n_lookups, &n_allowed, &n_forbidden].map(|count| count.load(Ordering::SeqCst));
        assert_eq!(counts, [2, 1, 0]);
    }

    #[tokio::test]
    async fn lookups_are_judged_and_bounded() {
        let found = |addresses: Vec<IpAddr>, rule: AddressRule| async move {
            let resolver = Resolver(Arc::new(move |_: &str| Ok(addresses.clone())));
            let filtered = FilteredResolver {
                resolver: Some(resolver),
                rule: Some(rule),
            };
            let found = filtered.resolve("a.test".parse().expect("a name")).await;
            found.map(|addresses| addresses.map(|address| address.ip()).collect::<Vec<IpAddr>>())
        };
        let parse =
            |text: &str| -> Vec<IpAddr> { text.split(' ').map(|text| text.parse().expect("an address")).collect() };
        let public = super::super::address::is_public;
        let allowed = parse("8.8.8.8 2606:4700::1111");
        assert_eq!(found(allowed.clone(), public).await.expect("addresses"), allowed);
        for mixed in [
            "8.8.8.8 10.0.0.1",
            "10.0.0.1 8.8.8.8 ::1",
            "2606:4700::1111 8.8.8.8 10.0.0.1",
        ] {
            let error = found(parse(mixed), public).await.expect_err("one of them is private");
            assert_eq!(error.to_string(), "10.0.0.1 is not on the public internet", "{mixed}");
        }
        let error = found(Vec::new(), public).await.expect_err("nothing was there");
        assert_eq!(error.to_string(), "the name is not known");
        assert_eq!(
            found(vec![IpAddr::from([8, 8, 8, 8]); 1000], public)
                .await
                .expect("addresses")
                .len(),
            ADDRESSES_MAX
        );
    }
}
