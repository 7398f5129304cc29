//! A crawl on a disk that is too small: it stops with a message and a code, and goes on where it
//! was once there is room.
//!
//! It mounts a file system of its own in memory, which takes the rights of root, so it runs by
//! `cargo xtask eval disk`.

mod program;
mod small_disk;

use program::{Bench, contents};
use small_disk::SmallDisk;
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

/// Large enough that the archive does not fit on the disk.
const PLAYERS: u32 = 12_000;

#[test]
fn a_full_disk_stops_a_crawl_and_more_room_lets_it_go_on() {
    if std::env::var_os("UNTEMPLATE_SMALL_DISK").is_none() {
        return;
    }
    let bench = Bench::new();
    let folder = bench.path().join("disk");
    let Some(disk) = SmallDisk::mount(&folder, "20m") else {
        return;
    };
    let options = DatabaseOptions {
        players: PLAYERS,
        ..DatabaseOptions::default()
    };
    let server = Server::start(DemoSite::new(options, Skin::Modern), ServerOptions::default()).expect("the site");
    let url = server.url();
    let archive = |kept: &str| {
        let words = [
            "archive",
            &url,
            "--archive",
            kept,
            "--delay",
            "0",
            "--exclude",
            "/calendar/",
            "-q",
        ];
        bench.run(&[&words[..], &["-o", "list.jsonl"]].concat())
    };
    let told = archive("disk/kept");
    assert_eq!(told.code, 1, "{}", told.err);
    assert!(told.err.contains("no space is left"), "{}", told.err);
    assert!(told.err.contains("run the same command again"), "{}", told.err);
    let n_before = contents(&folder.join("kept")).len();
    assert!(n_before > 100, "{n_before} pages are kept");
    let told = archive("disk/kept");
    assert_eq!(told.code, 1, "as long as there is no room: {}", told.err);
    disk.grow("400m");
    let told = archive("disk/kept");
    assert_eq!(told.code, 0, "{}", told.err);
    let n_requests = server.requests();
    assert_eq!(archive("calm").code, 0);
    let (small, calm) = (contents(&folder.join("kept")), contents(&bench.path().join("calm")));
    assert!(small == calm, "the same pages: {} and {}", small.len(), calm.len());
    println!(
        "disk: {} pages, {n_before} before the disk was full, {n_requests} requests",
        small.len()
    );
}
