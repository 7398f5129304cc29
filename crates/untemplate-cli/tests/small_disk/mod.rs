//! A disk that is too small: a file system in memory, which takes the rights of root to mount.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::skip;

/// A file system in memory, gone with this.
pub struct SmallDisk {
    folder: PathBuf,
}

impl SmallDisk {
    /// Mounts one of a size such as `20m`; says where it cannot.
    pub fn mount(folder: &Path, size: &str) -> Option<Self> {
        std::fs::create_dir_all(folder).expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]);
        if !mount.arg(folder).output().is_ok_and(|output| output.status.success()) {
            skip("a file system in memory cannot be mounted, which takes the rights of root");
            return None;
        }
        let folder = folder.to_owned();
        Some(Self { folder })
    }

    /// Makes room.
    pub fn grow(&self, size: &str) {
        let mut mount = Command::new("mount");
        let grown = mount
            .args(["-o", &format!("remount,size={size}")])
            .arg(&self.folder)
            .status();
        assert!(grown.expect("mount runs").success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.folder).status();
    }
}
