//! `untemplate`: the program. It turns arguments into options, calls a verb, and picks the exit
//! code.

mod arguments;
mod dry_run;
mod interrupt;
mod job_report;
mod outcome;
mod output;
mod page_arguments;
mod politeness;
mod progress;
mod reader;
mod records_output;
mod sources;
mod summary;
mod verbs;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Verb};
use outcome::failure_number;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
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
        Verb::Run(run) => verbs::run::run(run),
        Verb::Verify(verify) => verbs::verify::run(verify),
        Verb::Demo(demo) => verbs::demo::run(demo),
        Verb::Completions(completions) => verbs::completions::run(completions),
        Verb::Man(man) => verbs::man::run(man),
    };
    ExitCode::from(match result {
        Ok(outcome) => outcome.number(),
        Err(error) => {
            output::complain(&format!("{error:#}"));
            failure_number(&error)
        }
    })
}
