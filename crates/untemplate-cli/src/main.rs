//! `untemplate`: the program. It turns arguments into options, calls a verb, and picks the exit
//! code.

mod arguments;
mod dry_run;
mod entry;
mod first_page;
mod interrupt;
mod job_page;
mod job_report;
mod notice;
mod old_pages;
mod outcome;
mod output;
mod page_arguments;
mod parameters;
mod politeness;
mod progress;
mod reach;
mod reader;
mod records_output;
mod settings;
mod shared_job;
mod sources;
mod summary;
mod time_needed;
mod verbs;
mod verify_first;

use std::process::ExitCode;

use arguments::Verb;
use outcome::failure_number;

fn main() -> ExitCode {
    let arguments = match settings::arguments() {
        Ok(arguments) => arguments,
        Err(error) => return ExitCode::from(failed(&error)),
    };
    progress::set_log(arguments.log);
    let result = match &arguments.verb {
        Verb::Archive(archive) => verbs::archive::run(archive),
        Verb::Records(records) => verbs::records::run(records),
        Verb::Gather(gather) => verbs::gather::run(gather),
        Verb::Model(model) => verbs::model::run(model),
        Verb::Classify(classify) => verbs::classify::run(classify),
        Verb::Show(show) => verbs::show::run(show),
        Verb::Infer(infer) => verbs::infer::run(infer),
        Verb::Extract(extract) => verbs::extract::run(extract),
        Verb::Report(report) => verbs::report::run(report),
        Verb::Rebuild(rebuild) => verbs::rebuild::run(rebuild),
        Verb::Learn(learn) => verbs::learn::run(learn),
        Verb::Teach(teach) => verbs::studio::teach(teach),
        Verb::Studio(studio) => verbs::studio::studio(studio),
        Verb::Run(run) => verbs::run_every::run(run),
        Verb::Verify(verify) => verbs::verify::run(verify),
        Verb::Repair(repair) => verbs::repair::run(repair),
        Verb::Demo(demo) => verbs::demo::run(demo),
        Verb::Completions(completions) => verbs::completions::run(completions),
        Verb::Man(man) => verbs::man::run(man),
    };
    let code = match result {
        Ok(outcome) => outcome.number(),
        Err(error) => failed(&error),
    };
    if progress::is_json() {
        progress::write_event("end", &serde_json::json!({ "exit_code": code }));
    }
    ExitCode::from(code)
}

/// Says what went wrong; the exit code.
fn failed(error: &anyhow::Error) -> u8 {
    output::complain(&output::told(error));
    failure_number(error)
}
