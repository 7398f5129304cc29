//! The process of a job: started without a shell, interrupted as by Ctrl-C.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

/// Starts a process whose messages go to a file.
pub fn start(program: &Path, arguments: &[OsString], messages: &Path) -> io::Result<Child> {
    let messages = File::options().create(true).append(true).open(messages)?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(messages);
    // A terminal sends Ctrl-C to the whole group of processes; jobs are told by us, once.
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    command.spawn()
}

/// Asks a process to stop: what is under way is finished and kept. Where the system knows no such
/// signal it is ended; what is stored stays, as after any kill.
pub fn interrupt(process: &mut Child) -> io::Result<()> {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, kill};
        use nix::unistd::Pid;
        // The process was not waited for yet, so that its number is nobody else's.
        let number = i32::try_from(process.id()).map_err(io::Error::other)?;
        kill(Pid::from_raw(number), Signal::SIGINT).map_err(io::Error::from)
    }
    #[cfg(not(unix))]
    process.kill()
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
