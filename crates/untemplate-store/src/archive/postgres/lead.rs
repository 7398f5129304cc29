//! The lead of an archive: of the workers that do one job, one infers and writes, and the others
//! fetch for it. Whoever finds the lead free, or its holder dead, takes it.

use super::session::Session;

const LEAD: &str = "UPDATE untemplate_archive SET leader = $1 WHERE leader IS NULL OR leader = $1
    OR NOT EXISTS (SELECT 1 FROM worker WHERE worker.id = leader AND worker.ended_at IS NULL)";

const RESIGN: &str = "UPDATE untemplate_archive SET leader = NULL, n_led = n_led + 1 WHERE leader = $1";

const N_LED: &str = "SELECT n_led FROM untemplate_archive";

/// Takes the lead if it is free; whether this worker has it.
pub(super) fn lead(session: &mut Session, worker: i64) -> Result<bool, postgres::Error> {
    Ok(session.execute(LEAD, &[&worker])? > 0)
}

/// Gives the lead back: the job is done.
pub(super) fn resign(session: &mut Session, worker: i64) -> Result<(), postgres::Error> {
    session.execute(RESIGN, &[&worker])?;
    Ok(())
}

/// How many jobs were led to their end.
pub(super) fn n_led(session: &mut Session) -> Result<i64, postgres::Error> {
    Ok(session.query_one(N_LED, &[])?.get(0))
}
