//! Connections to PostgreSQL that are encrypted: for archives and for tables, with authorities that
//! vouch for the server and with others.

#![cfg(feature = "postgres")]

mod postgres_server;

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use postgres::{Client, NoTls};
use postgres_server::{Certificate, PostgresServer};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use untemplate_store::TableServer;
use untemplate_store::archive::{ArchiveOptions, PostgresArchive, ServerClock};

fn pem(label: &str, bytes: &[u8]) -> String {
    let text = BASE64_STANDARD.encode(bytes);
    format!("-----BEGIN {label}-----\n{text}\n-----END {label}-----\n")
}

/// An authority, and the file that its certificate is in.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    file: PathBuf,
}

impl Authority {
    fn new(file: PathBuf) -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.self_signed(&key).expect("a certificate");
        std::fs::write(&file, pem("CERTIFICATE", certificate.der())).expect("a file");
        Self {
            issuer: Issuer::new(params, key),
            file,
        }
    }

    fn vouch_for(&self, name: &str) -> Certificate {
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(vec![name.to_owned()]).expect("a name");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        written(&certificate, &key)
    }
}

fn written(certificate: &rcgen::Certificate, key: &KeyPair) -> Certificate {
    Certificate {
        certificate: pem("CERTIFICATE", certificate.der()),
        key: pem("PRIVATE KEY", &key.serialize_der()),
    }
}

/// A certificate that a server made for itself, as `openssl req -x509` does: an authority's, too.
fn made_by_itself(name: &str) -> Certificate {
    let mut params = CertificateParams::new(vec![name.to_owned()]).expect("a name");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().expect("a key");
    written(&params.self_signed(&key).expect("a certificate"), &key)
}

fn open(address: &str) -> Result<PostgresArchive, String> {
    let opened = PostgresArchive::open(address, &ArchiveOptions::default(), ServerClock::Own);
    opened.map_err(|error| error.to_string())
}

/// How many encrypted connections of others the server has.
fn n_encrypted(server: &PostgresServer, host: &str) -> i64 {
    let mut client = Client::connect(&server.address_at_port(host, "sslmode=disable"), NoTls).expect("the server");
    let row = client.query_one("SELECT count(*) FROM pg_stat_ssl WHERE ssl", &[]);
    row.expect("a row").get(0)
}

/// An archive and tables are reached by this address, and every connection is encrypted.
fn check_encrypted(server: &PostgresServer, host: &str, parameters: &str) {
    let address = server.address_at_port(host, parameters);
    let archive = open(&address).unwrap_or_else(|why| panic!("{parameters}: {why}"));
    assert!(n_encrypted(server, host) > 0, "{parameters}");
    TableServer::check(&address).unwrap_or_else(|why| panic!("{parameters}: {why}"));
    drop(archive);
}

/// Neither is reached by this address, and both say why and what to do.
fn check_refused(server: &PostgresServer, host: &str, parameters: &str, words: [&str; 2]) {
    let address = server.address_at_port(host, parameters);
    let of_archive = open(&address).err().unwrap_or_else(|| panic!("{parameters} connects"));
    let of_tables = TableServer::check(&address)
        .err()
        .unwrap_or_else(|| panic!("{parameters} connects"));
    for message in [of_archive, of_tables.to_string()] {
        assert!(
            words.iter().all(|word| message.contains(word)),
            "{parameters}: {message}"
        );
    }
}

fn root(file: &Path) -> String {
    format!("sslrootcert={}", file.display())
}

#[test]
fn connections_are_encrypted_as_the_address_asks() {
    let folder = tempfile::tempdir().expect("a folder");
    let [ours, other] = ["ours.crt", "other.crt"].map(|name| Authority::new(folder.path().join(name)));
    let certificate = ours.vouch_for("localhost");
    let Some(server) = PostgresServer::start_at_port(Some(&certificate)) else {
        return;
    };
    let (ours, other) = (root(&ours.file), root(&other.file));
    for parameters in ["", "sslmode=prefer", "sslmode=require"] {
        check_encrypted(&server, "127.0.0.1", parameters);
    }
    check_encrypted(&server, "127.0.0.1", &format!("sslmode=verify-ca&{ours}"));
    check_encrypted(&server, "localhost", &format!("sslmode=verify-full&{ours}"));
    // The name, the authority, and one that is asked though it need not be.
    let named = ["not valid for name", "sslrootcert=FILE"];
    check_refused(&server, "127.0.0.1", &format!("sslmode=verify-full&{ours}"), named);
    let unknown = ["invalid peer certificate", "sslrootcert=FILE"];
    for mode in ["require", "verify-ca", "verify-full"] {
        check_refused(&server, "localhost", &format!("sslmode={mode}&{other}"), unknown);
    }
    // The system's authorities do not know it.
    check_refused(&server, "localhost", "sslmode=verify-full&sslrootcert=system", unknown);
    let archive = open(&server.address_at_port("localhost", "sslmode=disable&schema=plain")).expect("it is asked for");
    assert_eq!(n_encrypted(&server, "localhost"), 0);
    drop(archive);
    let none = folder.path().join("none.crt");
    check_refused(
        &server,
        "localhost",
        &format!("sslmode=verify-ca&{}", root(&none)),
        ["none.crt", "cannot be read"],
    );
    std::fs::write(&none, "no certificate").expect("a file");
    check_refused(
        &server,
        "localhost",
        &format!("sslmode=verify-ca&{}", root(&none)),
        ["none.crt", "has no certificate"],
    );
    check_refused(
        &server,
        "localhost",
        "sslmode=always",
        ["sslmode=always", "verify-full"],
    );
}

#[test]
fn a_certificate_that_the_server_made_for_itself_is_trusted_where_it_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let certificate = made_by_itself("localhost");
    let Some(server) = PostgresServer::start_at_port(Some(&certificate)) else {
        return;
    };
    let (own, other) = (folder.path().join("own.crt"), folder.path().join("other.crt"));
    std::fs::write(&own, &certificate.certificate).expect("a file");
    std::fs::write(&other, made_by_itself("localhost").certificate).expect("a file");
    check_encrypted(&server, "localhost", &format!("sslmode=verify-full&{}", root(&own)));
    let unknown = ["invalid peer certificate", "sslrootcert=FILE"];
    check_refused(
        &server,
        "localhost",
        &format!("sslmode=verify-full&{}", root(&other)),
        unknown,
    );
}

#[test]
fn a_server_that_does_not_encrypt_is_refused_where_that_is_asked_for() {
    let Some(server) = PostgresServer::start_at_port(None) else {
        return;
    };
    check_refused(
        &server,
        "localhost",
        "sslmode=require",
        ["does not support TLS", "switch TLS on"],
    );
    let archive = open(&server.address_at_port("localhost", "sslmode=prefer")).expect("it need not be encrypted");
    assert_eq!(n_encrypted(&server, "localhost"), 0);
    drop(archive);
}
