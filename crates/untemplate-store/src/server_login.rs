//! How a server is logged in to: from its address, and from where passwords belong.
//!
//! Other people of a machine see the words of a command, and not its variables or files. So a
//! password is taken from `PGPASSWORD`, or from the file that `PGPASSFILE` names, `~/.pgpass`
//! without it, as PostgreSQL's own programs do; one in the address works, and is never shown.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use postgres::config::{Host, SslMode};
use postgres::{Client, Config};

use crate::server_tls::{Encryption, PARAMETERS, encryption_of};

/// How long a connection may take to come about where the address does not say.
const CONNECT_SECONDS: u64 = 10;

/// How long an answer of the network is waited for before the server is taken for gone.
const SILENCE_SECONDS: u64 = 30;

/// Bytes of a name that the server keeps.
const NAME_BYTES_MAX: usize = 63;

/// Parts an address: what PostgreSQL's client reads of it, and the parameters of these names.
pub(crate) fn part_address(address: &str, ours: &[&str]) -> (String, BTreeMap<String, String>) {
    // Not by the rules for addresses of the web: several hosts in a row are none of those.
    let Some((place, query)) = address.split_once('?') else {
        return (address.to_owned(), BTreeMap::new());
    };
    let (own, theirs): (Vec<_>, Vec<_>) = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .partition(|(name, _)| ours.contains(name));
    let theirs: Vec<String> = theirs.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let plain = |value| {
        percent_encoding::percent_decode_str(value)
            .decode_utf8_lossy()
            .into_owned()
    };
    let own = own.into_iter().map(|(name, value)| (name.to_owned(), plain(value)));
    let theirs = match theirs.is_empty() {
        true => place.to_owned(),
        false => format!("{place}?{}", theirs.join("&")),
    };
    (theirs, own.collect())
}

/// The name of a schema that an address names; an error says what is wrong with it.
pub(crate) fn schema_name(name: &str) -> Result<&str, String> {
    let is_good = !name.is_empty() && name.len() <= NAME_BYTES_MAX && !name.contains('\0') && !name.starts_with("pg_");
    is_good
        .then_some(name)
        .ok_or_else(|| format!("{name:?} cannot be the name of a schema"))
}

/// How to log in to a server.
#[derive(Clone)]
pub(crate) struct ServerLogin {
    config: Config,
    encryption: Encryption,
}

impl ServerLogin {
    /// How to log in to an address; an error says what is wrong with it.
    pub(crate) fn of(address: &str) -> Result<Self, String> {
        let (theirs, tls) = part_address(address, &PARAMETERS);
        let encryption = encryption_of(&tls)?;
        let mut config: Config = theirs.parse().map_err(|error: postgres::Error| reason_of(&error))?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(CONNECT_SECONDS));
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(Duration::from_secs(SILENCE_SECONDS));
        }
        if config.get_password().is_none()
            && let Some(password) = std::env::var("PGPASSWORD").ok().or_else(|| from_file(&config))
        {
            config.password(password);
        }
        let is_remote = config.get_hosts().iter().any(|host| matches!(host, Host::Tcp(_)));
        config.ssl_mode(if is_remote { encryption.mode } else { SslMode::Disable });
        Ok(Self { config, encryption })
    }

    /// Connects.
    pub(crate) fn connect(&self) -> Result<Client, postgres::Error> {
        self.config.connect(self.encryption.clone())
    }
}

fn from_file(config: &Config) -> Option<String> {
    let file = std::env::var_os("PGPASSFILE").map(PathBuf::from);
    let file = file.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pgpass")))?;
    let text = std::fs::read_to_string(file).ok()?;
    password_in(&text, config)
}

/// The password of the first line that fits: `host:port:database:user:password`, a star for any.
fn password_in(text: &str, config: &Config) -> Option<String> {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        #[cfg(unix)]
        Some(Host::Unix(_)) => "localhost".to_owned(),
        None => "localhost".to_owned(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let user = config.get_user().unwrap_or_default();
    let wanted = [host.as_str(), &port, config.get_dbname().unwrap_or(user), user];
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut fitting = lines.map(parts).filter(|parts| {
        let fits = |(part, wanted): (&String, &&str)| part == "*" || part == wanted;
        parts.len() == 5 && parts.iter().zip(&wanted).all(fits)
    });
    fitting.next()?.pop()
}

/// The parts of a line; a backslash stands before a colon or a backslash that is meant.
fn parts(line: &str) -> Vec<String> {
    let (mut parts, mut is_meant) = (vec![String::new()], false);
    for c in line.chars() {
        let last = parts.len() - 1;
        match c {
            '\\' if !is_meant => is_meant = true,
            ':' if !is_meant => parts.push(String::new()),
            c => {
                is_meant = false;
                parts[last].push(c);
            }
        }
    }
    parts
}

/// What an error of the client says, with what the server adds.
pub(crate) fn reason_of(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(error) => match error.detail() {
            Some(detail) => format!("{}: {detail}", error.message()),
            None => error.message().to_owned(),
        },
        None => {
            let mut text = error.to_string();
            let mut source = std::error::Error::source(error);
            while let Some(inner) = source {
                text = format!("{text}: {inner}");
                source = inner.source();
            }
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_parted() {
        let told = |address: &str| {
            let (theirs, ours) = part_address(address, &["schema", "bodies"]);
            format!("{theirs} {ours:?}")
        };
        assert_eq!(told("postgresql://h/x"), "postgresql://h/x {}");
        assert_eq!(
            told("postgresql://h/x?schema=a%20b&"),
            "postgresql://h/x {\"schema\": \"a b\"}"
        );
        // Several hosts are no address of the web.
        assert_eq!(
            told("postgresql://h:1,i:2/x?bodies=s3://b/c&application_name=a%20b"),
            "postgresql://h:1,i:2/x?application_name=a%20b {\"bodies\": \"s3://b/c\"}"
        );
    }

    #[test]
    fn passwords_are_found_in_a_file() {
        let config: Config = "postgresql://ann@db.example:5433/crawl".parse().expect("an address");
        let text = "# comment\ndb.example:5432:crawl:ann:other\ndb.example:*:crawl:ann:a\\:b\\\\c\n*:*:*:*:last\n";
        assert_eq!(password_in(text, &config).as_deref(), Some("a:b\\c"));
        assert_eq!(password_in("*:*:*:bob:x", &config), None);
    }
}
