//! Cargo's files: few features, a ceiling on the lock file's packages, and no registry but the
//! public one.

use super::finding::Finding;
use super::tree::{SourceFile, Tree};

/// Features a crate may have, `default` not counted.
const FEATURES_MAX: usize = 2;

/// Packages in the lock file. The stack we chose is about 320; raised by decision, with its reason
/// here: workbooks (`rust_xlsxwriter` and the three packages of its archives) and TOML (six) made
/// it 340; the Python package has some 35 more (PyO3, and Arrow's arrays with what they need on
/// other systems), which nothing else is compiled with; and the CSS parser of the studio
/// (`cssparser` with two packages for numbers), since style sheets of strangers are not to be read
/// by hand, 381. Large bodies of shared archives in a folder or in S3 (`object_store`, and half of
/// the 14 for S3 and other systems alone) made it 390.
const PACKAGES_MAX: usize = 390;

/// Features, packages, registries.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let manifests = tree.files.iter().filter(|file| file.path.ends_with("Cargo.toml"));
    let mut findings: Vec<Finding> = manifests.filter_map(too_many_features).collect();
    findings.extend(tree.file("Cargo.lock").into_iter().flat_map(check_lock));
    findings.extend(tree.file(".cargo/config.toml").into_iter().flat_map(foreign_registries));
    findings
}

fn too_many_features(manifest: &SourceFile) -> Option<Finding> {
    let lines = manifest.text.lines().enumerate();
    let mut section = lines.skip_while(|(_, line)| line.trim() != "[features]");
    let (head, _) = section.next()?;
    let mut depth = 0_usize;
    let mut n_features = 0;
    // A feature's list may run over several lines: only a key outside brackets is a feature, and
    // only a bracket outside brackets opens the next section.
    for (_, line) in section {
        let line = line.split('#').next().unwrap_or_default().trim();
        if depth == 0 && line.starts_with('[') {
            break;
        }
        let key = line.split_once('=').map(|(key, _)| key.trim());
        n_features += usize::from(depth == 0 && key.is_some_and(|key| key != "default"));
        depth = (depth + line.matches('[').count()).saturating_sub(line.matches(']').count());
    }
    let what = || format!("{n_features} features, {FEATURES_MAX} at most");
    let advice = "every feature doubles what must be tested: decide, and drop one";
    (n_features > FEATURES_MAX).then(|| Finding::stop(&manifest.path, head + 1, what(), advice))
}

fn check_lock(lock: &SourceFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    let n_packages = lock.text.lines().filter(|line| *line == "[[package]]").count();
    if n_packages > PACKAGES_MAX {
        let what = format!("{n_packages} packages, {PACKAGES_MAX} at most");
        let advice = "find what brought them (cargo tree); the ceiling in tidy/manifests.rs is raised by decision";
        findings.push(Finding::stop(&lock.path, 0, what, advice));
    }
    let public = concat!("\"registry+https://github.com/rust-lang/crates", ".io-index\"");
    let sources = lock
        .text
        .lines()
        .enumerate()
        .filter_map(|(index, line)| Some((index, line.strip_prefix("source = ")?)));
    for (index, source) in sources.filter(|(_, source)| *source != public) {
        let advice = "depend on published packages, and write the lock file without a local mirror";
        findings.push(Finding::stop(
            &lock.path,
            index + 1,
            format!("a package comes from {source}"),
            advice,
        ));
    }
    findings
}

fn foreign_registries(config: &SourceFile) -> Vec<Finding> {
    let is_registry = |line: &str| {
        ["[source", "[registr"]
            .iter()
            .any(|head| line.trim_start().starts_with(head))
    };
    let lines = config.text.lines().enumerate().filter(|(_, line)| is_registry(line));
    let advice = "keep it in the cargo folder of your own machine";
    lines
        .map(|(index, line)| Finding::stop(&config.path, index + 1, format!("`{}`", line.trim()), advice))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::check_rule;
    use super::*;
    use expect_test::expect;

    #[test]
    fn features_are_counted() {
        let two = "[package]\n[features]\ndefault = [\"a\"]\na = []\nb = [ # why\n  \"c = d\",\n]\n[dependencies]\ne = \"1\"\nf = \"1\"\n";
        check_rule(check, &[("crates/a/Cargo.toml", two)], expect![""]);
        let three = two.replace("b = [ ", "z = []\nb = [ ");
        check_rule(
            check,
            &[("crates/a/Cargo.toml", &three)],
            expect![[r#"
                crates/a/Cargo.toml:2: 3 features, 2 at most: every feature doubles what must be tested: decide, and drop one
            "#]],
        );
    }

    #[test]
    fn packages_are_counted() {
        check_rule(
            check,
            &[("Cargo.lock", &"[[package]]\n".repeat(PACKAGES_MAX))],
            expect![""],
        );
        check_rule(
            check,
            &[("Cargo.lock", &"[[package]]\n".repeat(PACKAGES_MAX + 1))],
            expect![[r#"
                Cargo.lock:1: 391 packages, 390 at most: find what brought them (cargo tree); the ceiling in tidy/manifests.rs is raised by decision
            "#]],
        );
    }

    #[test]
    fn only_the_public_registry_is_used() {
        let good = concat!(
            "source = \"registry+https://github.com/rust-lang/crates",
            ".io-index\"\n"
        );
        check_rule(
            check,
            &[("Cargo.lock", good), (".cargo/config.toml", "[alias]\nx = \"run\"\n")],
            expect![""],
        );
        check_rule(
            check,
            &[
                ("Cargo.lock", "source = \"registry+https://mirror.example/\"\n"),
                (".cargo/config.toml", "\n[source.mine]\n"),
            ],
            expect![[r#"
                .cargo/config.toml:2: `[source.mine]`: keep it in the cargo folder of your own machine
                Cargo.lock:1: a package comes from "registry+https://mirror.example/": depend on published packages, and write the lock file without a local mirror
            "#]],
        );
    }
}
