//! Encryption, good and broken.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// How a server encrypts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tls {
    /// As it should, with HTTP/1.1.
    Good,
    /// As it should, with HTTP/2.
    Http2,
    /// With a certificate that is over.
    Expired,
    /// With someone else's certificate.
    WrongName,
    /// With a certificate that nobody vouches for.
    SelfSigned,
    /// Not at all: it speaks plain HTTP.
    Plain,
    /// It closes in the middle of the handshake.
    Cut,
    /// It never says a word.
    Silent,
}

/// A server's certificate and its key.
#[derive(Clone)]
pub(super) struct Identity {
    kind: Tls,
    /// The authority that clients are to trust.
    pub(super) root: Vec<u8>,
    config: Arc<ServerConfig>,
}

impl Identity {
    pub(super) fn new(kind: Tls) -> Self {
        let mut authority = CertificateParams::new(Vec::new()).expect("parameters");
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().expect("a key")).expect("a root");
        let names = match kind {
            Tls::WrongName => vec!["other.test".to_owned()],
            _ => vec!["127.0.0.1".to_owned(), "localhost".to_owned(), "h0.test".to_owned()],
        };
        let mut parameters = CertificateParams::new(names).expect("parameters");
        if kind == Tls::Expired {
            parameters.not_before = date_time_ymd(2001, 1, 1);
            parameters.not_after = date_time_ymd(2002, 1, 1);
        }
        let key = KeyPair::generate().expect("a key");
        let certificate = match kind {
            Tls::SelfSigned => parameters.self_signed(&key),
            _ => parameters.signed_by(&key, &authority),
        };
        let certificate = certificate.expect("a certificate").der().clone();
        Self {
            kind,
            root: authority.der().to_vec(),
            config: Arc::new(config(kind, certificate, key)),
        }
    }

    /// Shakes hands; `None` when the connection ends with that.
    pub(super) async fn encrypt(&self, mut stream: TcpStream) -> io::Result<Option<TlsStream<TcpStream>>> {
        match self.kind {
            Tls::Plain => {
                stream
                    .write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                    .await?
            }
            // The begin of a server's handshake, and no more.
            Tls::Cut => stream.write_all(b"\x16\x03\x03\x00\x7a\x02").await?,
            Tls::Silent => sleep(Duration::from_secs(20)).await,
            _ => {
                let accepted = TlsAcceptor::from(self.config.clone()).accept(stream);
                return timeout(Duration::from_secs(10), accepted).await?.map(Some);
            }
        }
        Ok(None)
    }
}

fn config(kind: Tls, certificate: CertificateDer<'static>, key: KeyPair) -> ServerConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    let config = builder
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key);
    let mut config = config.expect("a certificate that fits its key");
    config.alpn_protocols = match kind {
        Tls::Http2 => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
        _ => vec![b"http/1.1".to_vec()],
    };
    config
}
