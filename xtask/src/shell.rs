//! Other programs and where things are: the workspace, its target folder, what lies beside it.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The folder of the workspace.
pub fn workspace_root() -> PathBuf {
    let manifest =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    manifest
        .parent()
        .expect("xtask lies in a folder of the workspace")
        .to_path_buf()
}

/// The folder beside the workspace with corpora and scorers, where there is one.
pub fn shared_folder() -> Option<PathBuf> {
    let shared = workspace_root().parent()?.join("shared");
    shared.is_dir().then_some(shared)
}

/// The folder cargo builds into.
pub fn target_folder() -> PathBuf {
    let root = workspace_root();
    root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// A cargo command in the workspace.
pub fn cargo<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(arguments: I) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(workspace_root());
    command
}

/// Runs `command` on this terminal; an error says how it ended.
pub fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(ending(&status)) }
}

/// Runs `command` and returns its standard output, or why there is none: what it said last.
pub fn output_of(command: &mut Command) -> Result<String, String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| cannot_start(command, &error))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.trim().lines().last().unwrap_or("no message");
    Err(format!("{}: {last}", ending(&output.status)))
}

/// Runs `command`, repeats its standard output here line by line, and returns it with how the
/// command ended.
pub fn echo(command: &mut Command) -> Result<(String, ExitStatus), String> {
    command.stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| cannot_start(command, &error))?;
    let stdout = child.stdout.take().expect("standard output is piped");
    repeat(stdout, child)
}

/// As [`echo`], with standard error among the lines.
pub fn echo_both(command: &mut Command) -> Result<(String, ExitStatus), String> {
    let no_pipe = |error: std::io::Error| format!("cannot make a pipe: {error}");
    let (reader, writer) = std::io::pipe().map_err(no_pipe)?;
    command.stdout(writer.try_clone().map_err(no_pipe)?).stderr(writer);
    let child = command.spawn().map_err(|error| cannot_start(command, &error))?;
    // The command holds the writing end, which must be closed here for the reading one to end.
    command.stdout(Stdio::inherit()).stderr(Stdio::inherit());
    repeat(reader, child)
}

fn repeat(output: impl Read, mut child: Child) -> Result<(String, ExitStatus), String> {
    let mut text = String::new();
    for line in BufReader::new(output).split(b'\n') {
        let line = line.map_err(|error| format!("cannot read the output: {error}"))?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        text.push_str(&line);
        text.push('\n');
    }
    let status = child.wait().map_err(|error| format!("cannot wait for it: {error}"))?;
    Ok((text, status))
}

/// The exit code of a silent run of `command`; `None` when a signal or the time limit ended it.
pub fn code_within(command: &mut Command, limit: Duration) -> Result<Option<i32>, String> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| cannot_start(command, &error))?;
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(status.code());
        }
        if started.elapsed() > limit {
            child
                .kill()
                .and_then(|()| child.wait())
                .map_err(|error| error.to_string())?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Is the cargo subcommand or tool there? Asked by its `--version`.
pub fn is_there(command: &mut Command) -> bool {
    output_of(command.arg("--version")).is_ok()
}

/// How a command ended, in words.
pub fn ending(status: &ExitStatus) -> String {
    status
        .code()
        .map_or_else(|| "ended by a signal".to_owned(), |code| format!("exit code {code}"))
}

fn cannot_start(command: &Command, error: &std::io::Error) -> String {
    format!("cannot start {}: {error}", command.get_program().display())
}
