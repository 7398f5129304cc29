//! A PostgreSQL server of the test's own.

// Every test file uses some of these.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A server whose data and socket are in a temporary folder; it listens nowhere else.
pub struct PostgresServer {
    folder: tempfile::TempDir,
    programs: PathBuf,
    /// The port of this machine's own network that it listens at, too.
    port: Option<u16>,
}

/// How a server that is reached by the network encrypts: what its files of certificate and key
/// hold.
pub struct Certificate {
    pub certificate: String,
    pub key: String,
}

impl PostgresServer {
    /// Starts a server; `None`, with a line that says so, where there is none on this machine.
    pub fn start() -> Option<Self> {
        Self::start_with("trust")
    }

    /// The same with another way to log in: the user `tester` has the password `right`.
    pub fn start_with(login: &str) -> Option<Self> {
        Self::prepare(login, |_| None)
    }

    /// The same, reached by the network of this machine, encrypted where there is a certificate.
    pub fn start_at_port(certificate: Option<&Certificate>) -> Option<Self> {
        Self::prepare("trust", |folder| {
            if let Some(certificate) = certificate {
                fs::write(folder.join("server.crt"), &certificate.certificate).expect("a file");
                fs::write(folder.join("server.key"), &certificate.key).expect("a file");
                let hidden = Command::new("chmod").arg("600").arg(folder.join("server.key")).status();
                assert!(hidden.expect("chmod runs").success());
            }
            let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
            Some(free.local_addr().expect("an address").port())
        })
    }

    fn prepare(login: &str, network: impl Fn(&Path) -> Option<u16>) -> Option<Self> {
        let Some(programs) = programs() else {
            eprintln!("skipped: no PostgreSQL server on this machine (Debian: apt install postgresql)");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let port = network(folder.path());
        let server = Self { folder, programs, port };
        let path = server.folder.path();
        fs::write(path.join("password"), "right\n").expect("a file");
        // The server refuses to be run by root.
        if is_root() {
            let given = Command::new("chown").args(["-R", "postgres"]).arg(path).status();
            assert!(given.expect("chown runs").success());
        }
        let (data, password) = (server.data(), path.join("password").display().to_string());
        let words = [
            "-D",
            &data,
            "-A",
            login,
            "--pwfile",
            &password,
            "-U",
            "tester",
            "--no-sync",
        ];
        server.run("initdb", &[&words[..], &["--encoding=UTF8", "--locale=C"]].concat());
        server.begin();
        Some(server)
    }

    /// Starts it, again where it was stopped.
    pub fn begin(&self) {
        let (data, folder) = (self.data(), self.folder.path().display().to_string());
        let network = match self.port {
            Some(port) => format!("-c listen_addresses=127.0.0.1 -c port={port}"),
            None => "-c listen_addresses=".to_owned(),
        };
        let tls = match self.folder.path().join("server.key").exists() {
            true => format!("-c ssl=on -c ssl_cert_file={folder}/server.crt -c ssl_key_file={folder}/server.key"),
            false => String::new(),
        };
        let options = format!(
            "{network} {tls} -c unix_socket_directories={folder} -c fsync=off -c shared_buffers=16MB -c max_connections=40"
        );
        let log = format!("{folder}/log");
        self.run("pg_ctl", &["-D", &data, "-w", "-l", &log, "-o", &options, "start"]);
    }

    /// Stops it as a machine does that loses power.
    pub fn stop(&self) {
        let data = self.data();
        self.run("pg_ctl", &["-D", &data, "-w", "-m", "immediate", "stop"]);
    }

    fn data(&self) -> String {
        self.folder.path().join("data").display().to_string()
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let program = self.programs.join(program);
        let mut command = match is_root() {
            true => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
                command.arg(program);
                command
            }
            false => Command::new(program),
        };
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .stdout(Stdio::null());
        assert!(command.status().expect("the program runs").success(), "{arguments:?}");
    }

    /// The address of the server, with these parameters.
    pub fn address(&self, parameters: &str) -> String {
        self.address_of("tester", parameters)
    }

    /// The address by the network, with the name that this machine goes by and these parameters.
    pub fn address_at_port(&self, host: &str, parameters: &str) -> String {
        let port = self.port.expect("it listens");
        format!("postgresql://tester@{host}:{port}/postgres?{parameters}")
    }

    /// The same for another user, who may have a password.
    pub fn address_of(&self, user: &str, parameters: &str) -> String {
        let socket = self.folder.path().display().to_string().replace('/', "%2F");
        let mark = if parameters.is_empty() { "" } else { "?" };
        format!("postgresql://{user}@{socket}/postgres{mark}{parameters}")
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        if self.folder.path().join("data/postmaster.pid").exists() {
            self.stop();
        }
    }
}

fn is_root() -> bool {
    let told = Command::new("id").arg("-u").output();
    told.is_ok_and(|told| told.stdout.trim_ascii() == b"0")
}

/// The folder of the server's programs, the newest where there are several.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    if let Some(folder) = std::env::split_paths(&path).find(|folder| folder.join("initdb").is_file()) {
        return Some(folder);
    }
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    let folders = versions
        .map(|version| version.path().join("bin"))
        .filter(|folder| folder.join("initdb").is_file());
    folders.max()
}
