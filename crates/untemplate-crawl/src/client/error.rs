//! Errors: why no answer came. What a server answers is never an error.

use std::error::Error;
use std::net::IpAddr;
use std::time::Duration;

use url::Url;

/// Why no client can be set up.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// A header of the options cannot be sent.
    #[error("the header {name:?} cannot be sent: {reason}")]
    Header {
        /// Its name, as given.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The HTTP client refused its settings.
    #[error("cannot set up fetching: {reason}; look at the proxy settings in the environment")]
    Setup {
        /// What it said.
        reason: String,
    },
}

/// Why no answer came. Addresses are told without the credentials in them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExchangeError {
    /// The address is not one that HTTP can ask.
    #[error("{url} is no http or https address")]
    NotHttp {
        /// What was asked for.
        url: Url,
    },
    /// The address, or any address of its name, lies outside of the public internet.
    #[error("{url} leads to {address}, which is not on the public internet; ask for pages of public sites only")]
    NotPublic {
        /// What was asked for.
        url: Url,
        /// Where it leads.
        address: IpAddr,
    },
    /// The address is of another origin than the only one that may be asked.
    #[error("{url} is not asked for: a site inside a private network leads to its own origin alone, {home}")]
    OtherOrigin {
        /// What was asked for.
        url: Url,
        /// The origin that may be asked.
        home: String,
    },
    /// The machine has no certificates to judge servers by.
    #[error(
        "{url} cannot be fetched safely: {reason}; install the system's certificates (such as the package ca-certificates)"
    )]
    NoCertificates {
        /// What was asked for.
        url: Url,
        /// What the TLS library said.
        reason: String,
    },
    /// The name has no address.
    #[error("{url}: the host has no address: {reason}; check the address and the connection")]
    NoAddress {
        /// What was asked for.
        url: Url,
        /// What the resolver said.
        reason: String,
    },
    /// No connection could be made.
    #[error("{url}: no connection: {reason}; check the address and the connection, or try again later")]
    NoConnection {
        /// What was asked for.
        url: Url,
        /// What happened.
        reason: String,
    },
    /// The server could not prove who it is.
    #[error("{url}: {reason}; check the system's clock and certificates, or whether the site's certificate is valid")]
    Certificate {
        /// What was asked for.
        url: Url,
        /// What is wrong with its certificate.
        reason: String,
    },
    /// Something did not happen in time.
    #[error("{url}: no {awaited} within {limit:?}; try again later, or allow more time")]
    Timeout {
        /// What was asked for.
        url: Url,
        /// What was waited for.
        awaited: Awaited,
        /// How long.
        limit: Duration,
    },
    /// The head of the answer passes the limits.
    #[error("{url}: the headers of the answer are too many or too large: {reason}")]
    HeadTooLarge {
        /// What was asked for.
        url: Url,
        /// By how much.
        reason: String,
    },
    /// What came is no answer, or broke off before there was one.
    #[error("{url}: no sound answer: {reason}; try again later")]
    Broken {
        /// What was asked for.
        url: Url,
        /// What happened.
        reason: String,
    },
}

impl ExchangeError {
    /// What the host does, in a few words that follow its name.
    pub fn in_short(&self) -> String {
        match self {
            Self::NoConnection { reason, .. } if reason.contains("refused") => "refuses connections".to_owned(),
            Self::NoConnection { .. } => "cannot be connected to".to_owned(),
            Self::NoAddress { .. } if self.is_unknown_name() => "has no address".to_owned(),
            Self::NoAddress { .. } => "cannot be looked up just now".to_owned(),
            Self::Timeout { awaited, limit, .. } => format!("gives no {awaited} within {limit:?}"),
            Self::Certificate { .. } => "has a certificate that is not valid".to_owned(),
            Self::Broken { .. } => "breaks its answers off".to_owned(),
            Self::NotHttp { .. }
            | Self::NotPublic { .. }
            | Self::OtherOrigin { .. }
            | Self::NoCertificates { .. }
            | Self::HeadTooLarge { .. } => "cannot be asked".to_owned(),
        }
    }

    /// Whether nobody knows the host's name, as when it is mistyped. A resolver that cannot tell
    /// just now says so in the words of the system's library alone, which are English wherever a
    /// program does not ask for others.
    pub fn is_unknown_name(&self) -> bool {
        let is_passing = |reason: &str| ["emporary", "ry again"].iter().any(|words| reason.contains(words));
        matches!(self, Self::NoAddress { reason, .. } if !is_passing(reason))
    }

    /// What is wrong with a host that could not be asked at all, whatever it was to be asked for.
    pub fn of_host(&self, host: &str) -> Option<String> {
        let short = self.in_short();
        match self {
            Self::NoAddress { .. } => Some(format!("{host} {short}; check the address and the connection")),
            Self::NoConnection { reason, .. } => Some(format!(
                "{host} {short} ({reason}); check the address and the connection, or try again later"
            )),
            _ => None,
        }
    }

    /// Whether trying again later may help.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::NoAddress { .. } | Self::NoConnection { .. } | Self::Timeout { .. } | Self::Broken { .. } => true,
            Self::NotHttp { .. }
            | Self::NotPublic { .. }
            | Self::OtherOrigin { .. }
            | Self::NoCertificates { .. }
            | Self::Certificate { .. }
            | Self::HeadTooLarge { .. } => false,
        }
    }
}

/// What was waited for in vain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaited {
    /// A connection, encrypted where the address says so.
    Connection,
    /// The head of the answer.
    Head,
    /// The body, of which nothing came at all.
    Body,
}

impl std::fmt::Display for Awaited {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Connection => "connection",
            Self::Head => "answer",
            Self::Body => "content",
        })
    }
}

/// What the connector says of a name that leads nowhere public.
#[derive(Debug, thiserror::Error)]
#[error("{address} is not on the public internet")]
pub(super) struct NotPublicAddress {
    pub(super) address: IpAddr,
}

/// What the connector says of a name that leads nowhere.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub(super) struct NoAddressFound {
    pub(super) reason: String,
}

/// What a failed request means.
pub(super) fn send_error(url: &Url, error: &reqwest::Error, connect_limit: Duration) -> ExchangeError {
    let url = url.clone();
    let reason = reasons(error);
    if let Some(NotPublicAddress { address }) = cause::<NotPublicAddress>(error) {
        return ExchangeError::NotPublic { url, address: *address };
    }
    if let Some(NoAddressFound { reason }) = cause::<NoAddressFound>(error) {
        let reason = reason.clone();
        return ExchangeError::NoAddress { url, reason };
    }
    // The HTTP library tells these apart by their words alone.
    if reason.contains("message head is too large") {
        return ExchangeError::HeadTooLarge { url, reason };
    }
    if cause::<rustls::Error>(error).is_some_and(|error| matches!(error, rustls::Error::InvalidCertificate(_))) {
        return ExchangeError::Certificate { url, reason };
    }
    match error {
        _ if error.is_timeout() => ExchangeError::Timeout {
            url,
            awaited: Awaited::Connection,
            limit: connect_limit,
        },
        _ if error.is_connect() => ExchangeError::NoConnection { url, reason },
        _ => ExchangeError::Broken { url, reason },
    }
}

/// The first cause of this type. I/O errors hide what they wrap, so they are looked into.
fn cause<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(error) = next {
        let wrapped = error.downcast_ref::<std::io::Error>().and_then(|error| error.get_ref());
        let wrapped: Option<&'a (dyn Error + 'static)> = match wrapped {
            Some(wrapped) => Some(wrapped),
            None => None,
        };
        if let Some(found) = error
            .downcast_ref::<T>()
            .or(wrapped.and_then(|wrapped| wrapped.downcast_ref()))
        {
            return Some(found);
        }
        next = wrapped.or(error.source());
    }
    None
}

/// How the layers of the HTTP library introduce what the next one says.
const INTRODUCTIONS: [&str; 4] = [
    "for url (",
    "client error (",
    "error decoding response body",
    "error reading a body from connection",
];

/// What went wrong, from the outermost cause to the innermost, without what only introduces the
/// next or repeats it.
pub(super) fn reasons(error: &(dyn Error + 'static)) -> String {
    let mut reasons: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let reason = error.to_string();
        next = error.source();
        let introduces = next.is_some() && INTRODUCTIONS.iter().any(|words| reason.contains(words));
        if !introduces && reasons.last() != Some(&reason) {
            reasons.push(reason);
        }
    }
    reasons.join(": ")
}
