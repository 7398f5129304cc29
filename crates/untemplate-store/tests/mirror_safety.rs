//! A mirror never answers with what lies outside its folder, whatever the address.

use std::fs;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use untemplate::page::Request;
use untemplate_store::{Mirror, PageSource};

/// A folder `inside` with pages, next to a secret, both below one temporary folder.
fn world() -> (tempfile::TempDir, Mirror) {
    let world = tempfile::tempdir().expect("a folder");
    let inside = world.path().join("inside");
    fs::create_dir_all(inside.join("a")).expect("a folder");
    for name in ["index.html", "a/index.html", "a/secret.html", "..a.html"] {
        fs::write(inside.join(name), "open").expect("a file");
    }
    for name in ["secret.html", "secret", "inside2.html", "index.html"] {
        fs::write(world.path().join(name), "SECRET").expect("a file");
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(world.path(), inside.join("up")).expect("a link");
    let mirror = Mirror::open("http://site.example/base/", &inside, 100).expect("a mirror");
    (world, mirror)
}

fn check_inside(mirror: &mut Mirror, address: &str) {
    let Ok(url) = address.parse() else { return };
    let Some(answer) = mirror.answer(&Request::get(url)) else {
        return;
    };
    let response = answer.expect("a response");
    assert!(
        response.body.is_empty() || response.body == b"open",
        "{address} shows what is outside"
    );
    assert!(
        response.status == 404 || response.url.as_str().starts_with("http://site.example/base/"),
        "{address}"
    );
}

/// Bits of addresses that have led out of folders elsewhere.
fn piece() -> impl Strategy<Value = String> {
    let known = [
        "..", ".", "/", "\\", "%2e", "%2E%2e", "%2f", "%5c", "%00", "%252e", "?", "#", "a", "up", "secret", "inside2",
        "index", ".html", "//", "%c0%ae", "C:", "file:", "~", "%",
    ];
    prop_oneof![4 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => any::<String>()]
}

#[test]
fn no_path_leaves_the_folder() {
    let (_world, mirror) = world();
    let config = ProptestConfig {
        cases: 5000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let outcome = TestRunner::new(config).run(&prop::collection::vec(piece(), 0..12), |pieces| {
        check_inside(
            &mut mirror.clone(),
            &format!("http://site.example/base/{}", pieces.concat()),
        );
        Ok(())
    });
    outcome.expect("every answer comes from inside");
}

#[test]
fn the_world_has_something_to_hide() {
    let (_world, mut mirror) = world();
    let mut body = |path: &str| {
        let url = format!("http://site.example/base/{path}").parse().expect("an address");
        mirror
            .answer(&Request::get(url))
            .expect("an answer")
            .expect("a response")
            .body
    };
    assert_eq!(
        (body("a/"), body("up/secret.html"), body("..%2fsecret.html")),
        (b"open".to_vec(), vec![], vec![])
    );
}
