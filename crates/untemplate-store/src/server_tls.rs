//! Encrypted connections to a server: `sslmode` and `sslrootcert` of its address, which mean what
//! they mean to PostgreSQL's own programs.
//!
//! | `sslmode` | encrypts | trusts |
//! | --- | --- | --- |
//! | `disable` | never | |
//! | `prefer`, as without a word | where the server can | anybody |
//! | `require` | always | anybody, or with `sslrootcert` who that vouches for |
//! | `verify-ca` | always | who the authorities vouch for, under any name |
//! | `verify-full` | always | who they vouch for under the name in the address |
//!
//! Authorities are those of the file `sslrootcert`, else of `~/.postgresql/root.crt`, else the
//! system's. A local socket is never encrypted. There is no channel binding: it would add to
//! `verify-full` only where an authority is false.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use postgres::Socket;
use postgres::config::SslMode;
use postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;

/// The parameters of an address that are read here.
pub(crate) const PARAMETERS: [&str; 2] = ["sslmode", "sslrootcert"];

/// How a connection is encrypted.
#[derive(Clone)]
pub(crate) struct Encryption {
    pub(crate) mode: SslMode,
    client: Arc<ClientConfig>,
}

/// What an address asks for; an error says what is wrong with it.
pub(crate) fn encryption_of(parameters: &BTreeMap<String, String>) -> Result<Encryption, String> {
    let told = |name: &str, variable: &str| parameters.get(name).cloned().or_else(|| std::env::var(variable).ok());
    let mode = told("sslmode", "PGSSLMODE");
    let file = told("sslrootcert", "PGSSLROOTCERT").map(PathBuf::from);
    let (mode, trust) = match mode.as_deref().unwrap_or("prefer") {
        "disable" => (SslMode::Disable, Trust::Anybody),
        "allow" | "prefer" => (SslMode::Prefer, Trust::Anybody),
        "require" if file.is_none() => (SslMode::Require, Trust::Anybody),
        "require" | "verify-ca" => (SslMode::Require, Trust::authorities(file, NameCheck::None)?),
        "verify-full" => (SslMode::Require, Trust::authorities(file, NameCheck::Address)?),
        other => {
            return Err(format!(
                "sslmode={other} is none of disable, prefer, require, verify-ca and verify-full"
            ));
        }
    };
    let provider = Arc::new(ring::default_provider());
    let verifier = Verifier {
        trust,
        provider: Arc::clone(&provider),
    };
    let client = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let client = client.map_err(|error| error.to_string())?;
    let client = client
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(Encryption {
        mode,
        client: Arc::new(client),
    })
}

/// Whether the name in a certificate must be the one in the address.
#[derive(Debug, PartialEq, Eq)]
enum NameCheck {
    None,
    Address,
}

/// Who may be at the other end.
#[derive(Debug)]
enum Trust {
    /// Whoever it is: what is sent is hidden from those who only listen.
    Anybody,
    Authorities {
        roots: RootCertStore,
        /// The certificates of the file itself. One that a server made for itself, as many do, is
        /// no authority's, and is trusted for being there.
        listed: Vec<CertificateDer<'static>>,
        name: NameCheck,
    },
}

impl Trust {
    fn authorities(file: Option<PathBuf>, name: NameCheck) -> Result<Self, String> {
        let usual = std::env::home_dir().map(|home| home.join(".postgresql/root.crt"));
        let file = file.or(usual.filter(|file| file.is_file()));
        let certificates = match &file {
            Some(file) if file.as_os_str() != "system" => certificates_in(file)?,
            _ => rustls_native_certs::load_native_certs().certs,
        };
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(certificates.iter().cloned());
        if roots.is_empty() {
            return Err("no certificate authority is known here; name the file of one by sslrootcert=FILE".to_owned());
        }
        Ok(Self::Authorities {
            roots,
            listed: certificates,
            name,
        })
    }
}

fn certificates_in(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    match read {
        Ok(certificates) if !certificates.is_empty() => Ok(certificates),
        Ok(_) => Err(format!("sslrootcert={} has no certificate in PEM", file.display())),
        Err(error) => Err(format!("sslrootcert={} cannot be read: {error}", file.display())),
    }
}

#[derive(Debug)]
struct Verifier {
    trust: Trust,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        server: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Trust::Authorities { roots, listed, name } = &self.trust else {
            return Ok(ServerCertVerified::assertion());
        };
        let certificate = ParsedCertificate::try_from(own)?;
        if !listed.contains(own) {
            let algorithms = self.provider.signature_verification_algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&certificate, roots, between, now, algorithms)?;
        }
        if *name == NameCheck::Address {
            verify_server_name(&certificate, server)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        own: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, own, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        own: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, own, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

impl MakeTlsConnect<Socket> for Encryption {
    type Stream = EncryptedStream;
    type TlsConnect = Handshake;
    type Error = Infallible;

    /// It is asked for local sockets, too, which have no name and need no handshake.
    fn make_tls_connect(&mut self, host: &str) -> Result<Handshake, Infallible> {
        Ok(Handshake {
            connector: Arc::clone(&self.client).into(),
            host: host.to_owned(),
        })
    }
}

/// A handshake with a server that is to be made.
pub(crate) struct Handshake {
    connector: TlsConnector,
    host: String,
}

impl TlsConnect<Socket> for Handshake {
    type Stream = EncryptedStream;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<EncryptedStream>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let nameless = |_| {
                let reason = format!("no certificate can have the name {:?}", self.host);
                io::Error::other(rustls::Error::General(reason))
            };
            let server = ServerName::try_from(self.host.clone()).map_err(nameless)?;
            let connected = self.connector.connect(server, socket).await;
            connected.map(|stream| EncryptedStream(Box::new(stream)))
        })
    }
}

/// A connection that is encrypted.
pub(crate) struct EncryptedStream(Box<tokio_rustls::client::TlsStream<Socket>>);

impl AsyncRead for EncryptedStream {
    fn poll_read(mut self: Pin<&mut Self>, task: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(task, to)
    }
}

impl AsyncWrite for EncryptedStream {
    fn poll_write(mut self: Pin<&mut Self>, task: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(task, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(task)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(task)
    }
}

impl TlsStream for EncryptedStream {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

/// What the client says of an encrypted connection that did not come about.
const HANDSHAKE: &str = "error performing TLS handshake";

/// Whether the connection broke while it was being encrypted: neither side had anything against it.
pub(crate) fn broke_in_handshake(error: &postgres::Error) -> bool {
    let of_tls = causes(error).any(|cause| cause.is::<rustls::Error>());
    let of_network = causes(error).any(|cause| cause.is::<io::Error>());
    error.to_string().starts_with(HANDSHAKE) && of_network && !of_tls
}

/// What to try where a connection could not be encrypted; `None` where that is not the reason.
pub(crate) fn hint_of(error: &postgres::Error) -> Option<&'static str> {
    if causes(error).any(|cause| cause.is::<rustls::Error>()) {
        return Some(
            "name the file of the authority that made the server's certificate by sslrootcert=FILE, and the server as its certificate does; \
             sslmode=require encrypts without asking who is there",
        );
    }
    let is_plain = error.to_string().starts_with(HANDSHAKE) && !broke_in_handshake(error);
    is_plain.then_some("switch TLS on at the server, or give sslmode=disable where the network is to be trusted")
}

/// What an error came of, from the outside in.
fn causes(error: &postgres::Error) -> impl Iterator<Item = &(dyn std::error::Error + 'static)> {
    let first = std::error::Error::source(error);
    std::iter::successors(first, |cause| match cause.downcast_ref::<io::Error>() {
        // What an error of the system is made of is not called its source.
        Some(error) => error.get_ref().map(|inner| inner as &(dyn std::error::Error + 'static)),
        None => cause.source(),
    })
}
