//! The process of a job: started without a shell, interrupted as by Ctrl-C.
//!
//! A process outlives a studio that was killed. So that the next one finds it, it holds a lock on
//! the file of its messages for as long as it lives, whoever started it: the system lets go of the
//! lock when the process ends, however that comes. Its number is noted beside, so that it can be
//! interrupted; while the lock is held, the number is nobody else's.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

/// The file of a job's messages.
pub const MESSAGES: &str = "messages.txt";

/// The file of how far it is.
pub const PROGRESS: &str = "progress.json";

/// The file of the number of its process.
const NUMBER: &str = "process.txt";

/// Starts a process whose messages go to a file of a folder, if none is under way there.
pub fn start(program: &Path, arguments: &[OsString], folder: &Path) -> io::Result<Child> {
    let messages = File::options().create(true).append(true).open(folder.join(MESSAGES))?;
    // The lock goes to the process with the file, and this program lets go of its own handle.
    messages.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => io::Error::new(io::ErrorKind::WouldBlock, UNDER_WAY),
        TryLockError::Error(error) => error,
    })?;
    // How far an earlier run of the job was is no news.
    let progress = folder.join(PROGRESS);
    let _ = fs::remove_file(&progress);
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env("UNTEMPLATE_PROGRESS_FILE", progress)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(messages);
    // A terminal sends Ctrl-C to the whole group of processes; jobs are told by us, once.
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    let child = command.spawn()?;
    // A job whose number cannot be noted runs, and only another studio cannot interrupt it.
    let _ = fs::write(folder.join(NUMBER), format!("{}\n", child.id()));
    Ok(child)
}

/// What is said of a job that is started a second time.
pub const UNDER_WAY: &str = "it is under way already, perhaps started by another studio";

/// Whether a process that was started for a folder lives, whoever started it.
pub fn is_alive(folder: &Path) -> bool {
    let file = File::options().append(true).open(folder.join(MESSAGES));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Asks the process of a folder to stop, which another studio started.
pub fn interrupt_other(folder: &Path) -> io::Result<()> {
    let noted = fs::read_to_string(folder.join(NUMBER))?;
    let number: u32 = noted.trim().parse().map_err(io::Error::other)?;
    if !is_alive(folder) {
        return Err(io::Error::other("it has ended"));
    }
    interrupt_number(number)
}

/// Asks a process to stop: what is under way is finished and kept. Where the system knows no such
/// signal it is ended; what is stored stays, as after any kill.
pub fn interrupt(process: &mut Child) -> io::Result<()> {
    // The process was not waited for yet, so that its number is nobody else's.
    #[cfg(unix)]
    return interrupt_number(process.id());
    #[cfg(not(unix))]
    process.kill()
}

#[cfg(unix)]
fn interrupt_number(number: u32) -> io::Result<()> {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let number = i32::try_from(number).map_err(io::Error::other)?;
    kill(Pid::from_raw(number), Signal::SIGINT).map_err(io::Error::from)
}

#[cfg(not(unix))]
fn interrupt_number(_: u32) -> io::Result<()> {
    Err(io::Error::other(
        "this system cannot interrupt what another program started",
    ))
}

/// How a process ended, as exit codes say it: an end by a signal is what a shell makes of it.
pub fn code_of(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return 128 + signal;
        }
    }
    status.code().unwrap_or(1)
}
