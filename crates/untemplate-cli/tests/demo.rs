//! What the demo shows, and what it leaves behind.

mod program;

use program::Bench;
use serde_json::Value;

fn summary(bench: &Bench) -> Value {
    serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON")
}

#[test]
fn the_demo_shows_data_and_leaves_a_folder() {
    let bench = Bench::new();
    let words = ["demo", "--players", "30", "-q", "--summary", "figures.json"];
    let told = bench.run(&words);
    assert_eq!(told.code, 0, "{}", told.err);
    let lines: Vec<&str> = told.out.lines().collect();
    let starts = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(starts("The first rows of "), 3, "{}", told.out);
    assert!(
        lines.contains(&"report  untemplate-demo/report.html")
            && starts("try     untemplate studio --folder untemplate-demo") == 1,
        "{}",
        told.out
    );
    let cells = &summary(&bench)["cells"];
    let (all, right) = (cells["all"].as_u64(), cells["right"].as_u64());
    let right_line = format!(
        "right      {} of {} values",
        right.unwrap_or_default(),
        all.unwrap_or_default()
    );
    assert!(told.out.contains(&right_line), "{right_line}: {}", told.out);
    let (all, right) = all.zip(right).expect("cells are counted");
    assert!(all > 400 && right * 10 >= all * 9 && right <= all, "{cells}");
    let report = bench.read("untemplate-demo/report.html");
    assert!(report.contains("<h1>The database of the demo site</h1>"), "{report}");
    for file in ["tables.sqlite", "stadiums.csv", "schema.toml"] {
        assert!(bench.path().join("untemplate-demo").join(file).is_file(), "{file}");
    }
    // The address of the site is another one the next time, and nothing is compared with it.
    assert_eq!(bench.run(&words).code, 0);
    assert!(!bench.path().join("untemplate-demo/changes.json").exists());
}
