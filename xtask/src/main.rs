//! The project's own commands: `cargo xtask check`, `tidy`, `eval`, `fit` and `bench`.
//!
//! Each command is a file here. None of them uses a crate of the workspace, so that they build in
//! seconds and keep working while the crates do not compile.

mod axe;
mod bench;
mod check;
mod corpora;
mod eval;
mod fit;
mod list_pages;
mod shell;
mod table;
mod tidy;
mod wheel;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  check [STEP…]            everything a change must pass; steps by name, or all
  tidy                     the rules of STYLE.md and ARCHITECTURE.md that a program can hold
       --sizes             lines of the library and of all crates, tests left out, instead
  eval [TASK…] [OPTIONS]   scores on the development corpora, against eval/floors.toml
       --raise             write floors for what became better; never lowers one
       --quick             a part of each corpus, with floors of its own
       --sweep STAGE.NAME=VALUE,VALUE…
                           instead: the task's score with other values of a number that decides, on each site and with
                           each site left out; repeated, a grid
       --seconds N         how long `fuzz` runs each of its tests (600)
                           by name only: fuzz, kill (200 kills of a crawl), politeness (20 breaks of a crawl
                           of 50 hosts), disk (a crawl on a disk of 20 MiB)
       --archive postgresql
                           `kill` with three workers that share an archive; --kills N (20) of them, and
                           --restarts N (2) of its server
  fit lists                the coefficients of the probability of lists, from pages with known ones
  fit choice               what evidence counts when the main list of a page is chosen, from changed pages
  bench parse [OPTIONS]    our parser against lxml, selectolax and html5ever with rcdom, in one run
  bench records            parsed pages to records, over the size of the page
  bench wrapper            inference, and extraction against parsing alone and against parsel, in one run
       --corpus DIR        pages below this folder instead of the corpora (repeatable)
       --pages N           at most this many pages of each
  bench rebuild [--only SITE]
                           whole sites from a mirror to tables, against bytes to page schema on the same pages; and a page
                           with a grid of 100,000 cells
  bench studio             how soon the studio shows a page of a megabyte, and answers a click on 200,000 links, in Chromium
  bench crawl [OPTIONS]    our crawler against Scrapy and wget on the demo site, in one run
       --pages N           pages of the site (5000)
       --large N           pages of the site that ours crawls for its memory (50000); 0 for none
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, rest)) = arguments.split_first() else {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    };
    let good = match command.as_str() {
        "check" => check::run(rest),
        "tidy" => tidy::run(rest),
        "eval" => eval::run(rest),
        "bench" => bench::run(rest),
        "fit" => fit::run(rest),
        "help" | "-h" | "--help" => {
            print!("{HELP}");
            Ok(true)
        }
        unknown => Err(format!("no command `{unknown}`; `cargo xtask` lists them")),
    };
    match good {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::from(2)
        }
    }
}
