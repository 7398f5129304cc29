//! The address of an archive on a server, in parts: how to connect, and what is the archive's own.
//!
//! `?schema=NAME` names the schema (`untemplate_archive` by default), `?bodies=PLACE` a folder
//! that all workers see, or a store such as `s3://BUCKET/FOLDER`, for bodies beyond a megabyte,
//! `?lease=SECONDS` how long a worker may be silent before the others take it for dead,
//! `?patience=SECONDS` how long a server that went away is waited for. `server_login` and
//! `server_tls` read the rest.

use std::time::Duration;

use crate::archive::ArchiveError;
use crate::server_login::{ServerLogin, part_address, schema_name};
use crate::without_password;

/// The schema of an archive whose address names none.
const SCHEMA: &str = "untemplate_archive";

/// How long a worker may be silent. Renewals come four times as often; half a minute outlives a
/// network that hangs, and a dead worker holds up one request of each of its hosts for no longer.
const LEASE_SECONDS: f64 = 30.0;

/// How long a server that went away is waited for: a restart takes less.
const PATIENCE_SECONDS: f64 = 60.0;

/// The address of an archive on a server.
#[derive(Clone)]
pub(super) struct ArchiveAddress {
    pub(super) login: ServerLogin,
    /// The address as it may be shown.
    pub(super) shown: String,
    pub(super) schema: String,
    /// The place of large bodies, if there is one.
    pub(super) bodies: Option<String>,
    pub(super) lease: Duration,
    pub(super) patience: Duration,
}

impl ArchiveAddress {
    pub(super) fn parse(text: &str) -> Result<Self, ArchiveError> {
        let shown = without_password(text);
        let wrong = |reason: String| ArchiveError::Address {
            address: shown.clone(),
            reason,
        };
        let (theirs, ours) = part_address(text, &["schema", "bodies", "lease", "patience"]);
        let schema = ours.get("schema").map_or(SCHEMA, String::as_str);
        let schema = schema_name(schema).map_err(wrong)?.to_owned();
        let seconds = |name: &str, usual: f64| match ours.get(name) {
            Some(value) => seconds_in(name, value).map_err(wrong),
            None => Ok(usual),
        };
        let (lease, patience) = (seconds("lease", LEASE_SECONDS)?, seconds("patience", PATIENCE_SECONDS)?);
        let bodies = ours.get("bodies").cloned();
        let login = ServerLogin::of(&theirs).map_err(wrong)?;
        Ok(Self {
            login,
            shown,
            schema,
            bodies,
            lease: Duration::from_secs_f64(lease),
            patience: Duration::from_secs_f64(patience),
        })
    }
}

fn seconds_in(name: &str, value: &str) -> Result<f64, String> {
    let seconds = value.parse().ok().filter(|seconds| (0.5..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| format!("{name}={value} is no number of seconds from 0.5 to 86400"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        match ArchiveAddress::parse(text) {
            Ok(address) => format!(
                "{} {:?} {:?} {:?}",
                address.schema, address.bodies, address.lease, address.shown
            ),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_is_ours_and_what_is_the_servers() {
        assert_eq!(
            told("postgresql://ann:secret@db.example/x?schema=one&lease=5&bodies=%2Fmnt%2Fb&application_name=a%20b"),
            "one Some(\"/mnt/b\") 5s \"postgresql://ann@db.example/x?schema=one&lease=5&bodies=%2Fmnt%2Fb&application_name=a+b\""
        );
        for (wrong, why) in [
            ("postgresql://h/x?lease=never", "no number of seconds"),
            ("postgresql://h/x?schema=pg_x", "cannot be the name of a schema"),
            ("postgresql://h/x?shcema=x", "shcema"),
            ("postgresql://h:port/x", "port"),
        ] {
            let message = told(wrong);
            assert!(
                message.contains(why) && message.contains("give one such as"),
                "{message}"
            );
        }
    }
}
