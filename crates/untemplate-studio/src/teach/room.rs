//! A room: one lesson, its pages, and what follows from its choices.
//!
//! Choices are kept in a file before anybody sees what they lead to. Sessions of classes that a
//! choice does not touch are not replayed.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::task::block_in_place;
use untemplate::page::{Page, Request, Visit};
use untemplate::teach::{
    Choice, Lesson, LessonClass, PresentLesson, SamplePage, Session, SessionOptions, Specification, Taught, replay,
};
use untemplate_store::{LessonFile, LessonFileError, read_lesson, rewrite_lesson, specification_text};

use crate::site_thread::{OpenEntry, SiteThread};
use crate::studio::LessonOptions;

/// One lesson.
pub struct Room {
    /// What it is called in addresses.
    pub name: String,
    /// Where it begins and is kept.
    pub options: LessonOptions,
    /// Where its pages are asked for.
    pub site_thread: SiteThread,
    state: Mutex<State>,
}

struct State {
    choices: Vec<Choice>,
    /// Changes with every choice and with every one that is taken back.
    edition: usize,
    pages: HashMap<Request, Arc<Page>>,
    /// Pages that could not be had, with the reason: they are not asked for again while this room
    /// is open, so that page numbers stay as they are.
    missed: HashMap<Request, String>,
    /// The last sessions, each with what was said when it was replayed.
    replayed: Vec<(LessonClass, Session)>,
    known: Option<Arc<Known>>,
}

/// What is known after the choices so far.
pub struct Known {
    /// The number of choices.
    pub n_choices: usize,
    /// Changes with every choice and with every one that is taken back, so that who saw another is
    /// told.
    pub edition: usize,
    /// All that was said, whether its pages are there or not.
    pub said: Lesson,
    /// What was said about pages that are there; its page numbers are those of the sessions.
    pub lesson: Lesson,
    /// The same, with the numbers that pages have in the whole samples.
    pub present: PresentLesson,
    /// Why pages cannot be had.
    pub missed: Vec<String>,
    /// What follows.
    pub taught: Taught,
}

impl Known {
    /// The place of a class; that of the first one with a page when there is no such class, or none
    /// of its pages.
    pub fn class_index(&self, id: &str) -> usize {
        let has_page = |index: &usize| !self.lesson.classes[*index].sample.is_empty();
        let named = self.lesson.classes.iter().position(|class| class.id == id);
        let first = || (0..self.lesson.classes.len()).find(has_page);
        named.filter(has_page).or_else(first).unwrap_or(0)
    }

    /// Whether a page of a class is there.
    pub fn has_page(&self, class: &str, page: usize) -> bool {
        self.lesson.class(class).is_some_and(|class| page < class.sample.len())
    }

    /// A page of a class, and its number; the first one when there is no such number.
    pub fn page(&self, class: usize, page: usize) -> Option<(usize, &SamplePage)> {
        let sample = self.taught.sessions.get(class)?.sample();
        sample
            .get(page)
            .map(|it| (page, it))
            .or_else(|| Some((0, sample.first()?)))
    }

    /// The specification, if there is anything in it to run or to read.
    pub fn specification(&self) -> &Specification {
        &self.taught.specification
    }
}

impl Room {
    /// What a lesson is called in addresses: its file, without what comes after a dot.
    pub fn name_of(options: &LessonOptions) -> String {
        let file = options
            .file
            .file_stem()
            .and_then(|name| name.to_str())
            .unwrap_or("lesson");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let name: String = file.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
        name.trim_matches('.').to_owned()
    }

    /// Opens a lesson with what its file has.
    pub fn open(name: &str, options: LessonOptions, open_site: OpenEntry) -> Result<Self, LessonFileError> {
        let choices = match read_lesson(&options.file)? {
            Some(kept) if kept.entry == options.entry => kept.choices,
            Some(kept) => {
                return Err(LessonFileError::Wrong {
                    file: options.file,
                    reason: format!("it is about {}, and not about {}", kept.entry, options.entry),
                });
            }
            None => Vec::new(),
        };
        let state = State {
            choices,
            edition: 0,
            pages: HashMap::new(),
            missed: HashMap::new(),
            replayed: Vec::new(),
            known: None,
        };
        Ok(Self {
            name: name.to_owned(),
            site_thread: SiteThread::open(options.entry.clone(), options.own_host_only, open_site),
            options,
            state: Mutex::new(state),
        })
    }

    /// What is known; the text says why it cannot be told.
    pub async fn known(&self) -> Result<Arc<Known>, String> {
        let mut state = self.state.lock().await;
        self.know(&mut state).await
    }

    async fn know(&self, state: &mut State) -> Result<Arc<Known>, String> {
        if let Some(known) = &state.known {
            return Ok(Arc::clone(known));
        }
        let said = Lesson::of(self.options.entry.clone(), &state.choices);
        self.bring_pages(&said, state).await?;
        let present = said.present(|request| state.pages.contains_key(request));
        let taught = block_in_place(|| {
            let classes = present.lesson.classes.iter();
            state.replayed = classes.map(|class| session_of(class, state)).collect();
            let sessions = state.replayed.iter().map(|(_, session)| session.clone()).collect();
            Taught::of(&present, sessions)
        });
        let wanted = said.classes.iter().flat_map(|class| &class.sample);
        let missed = wanted
            .filter_map(|request| state.missed.get(request).cloned())
            .collect();
        let known = Arc::new(Known {
            n_choices: state.choices.len(),
            edition: state.edition,
            said,
            lesson: present.lesson.clone(),
            present,
            missed,
            taught,
        });
        state.known = Some(Arc::clone(&known));
        Ok(known)
    }

    /// Has all pages of the samples brought; those that cannot be had are missed. It fails where
    /// there is none at all.
    async fn bring_pages(&self, lesson: &Lesson, state: &mut State) -> Result<(), String> {
        let wanted = lesson.classes.iter().flat_map(|class| &class.sample);
        let new: Vec<Request> = wanted
            .filter(|request| !state.pages.contains_key(request) && !state.missed.contains_key(request))
            .cloned()
            .collect();
        if new.is_empty() {
            return Ok(());
        }
        for (request, visit) in new.iter().zip(self.site_thread.visit(&new).await) {
            let reason = match visit {
                Visit::Page(page) => {
                    state.pages.insert(request.clone(), page);
                    continue;
                }
                Visit::Dead { reason }
                | Visit::Refused { reason }
                | Visit::NotFollowed { reason }
                | Visit::Failed { reason } => reason,
                Visit::Stopped => format!("{} could not be asked for: the source has stopped", request.url),
            };
            state.missed.insert(request.clone(), reason);
        }
        let mut wanted = lesson.classes.iter().flat_map(|class| &class.sample);
        if wanted.any(|request| state.pages.contains_key(request)) {
            return Ok(());
        }
        // Without a page there is nothing to look at, so that it is tried again whenever somebody
        // looks.
        let reason = new.first().and_then(|request| state.missed.get(request)).cloned();
        state.missed.clear();
        Err(reason.unwrap_or_else(|| "The lesson has no page.".to_owned()))
    }

    /// Takes in a choice, and keeps it, if nothing was said since somebody saw this edition.
    pub async fn choose(&self, choice: Choice, edition: usize) -> Result<Arc<Known>, Unchosen> {
        self.change(edition, |choices| choices.push(choice)).await
    }

    /// Takes the last choice back, if it is still the one that somebody saw as the last.
    pub async fn undo(&self, edition: usize) -> Result<(), Unchosen> {
        let undone = self.change(edition, |choices| drop(choices.pop())).await;
        undone.map(|_| ())
    }

    async fn change(&self, edition: usize, change: impl FnOnce(&mut Vec<Choice>)) -> Result<Arc<Known>, Unchosen> {
        let mut state = self.state.lock().await;
        if state.edition != edition {
            return Err(Unchosen::Stale);
        }
        let before = state.choices.clone();
        change(&mut state.choices);
        if let Err(reason) = self.keep(&state, &before) {
            // What could not be kept was not chosen.
            state.choices = before;
            return Err(Unchosen::Unkept(reason));
        }
        state.edition += 1;
        state.known = None;
        self.renew(&mut state).await.map_err(Unchosen::Unkept)
    }

    /// Keeps the choices where nobody else changed the file since.
    fn keep(&self, state: &State, before: &[Choice]) -> Result<(), String> {
        let lesson = |choices: &[Choice]| LessonFile {
            entry: self.options.entry.clone(),
            choices: choices.to_vec(),
        };
        let seen = Some(lesson(before)).filter(|seen| !seen.choices.is_empty());
        rewrite_lesson(&self.options.file, seen.as_ref(), &lesson(&state.choices)).map_err(|error| error.to_string())
    }

    async fn renew(&self, state: &mut State) -> Result<Arc<Known>, String> {
        let known = self.know(state).await?;
        if let Some(file) = &self.options.specification
            && known.specification().check().is_ok()
        {
            write_specification(file, known.specification())?;
        }
        Ok(known)
    }
}

/// Why a choice was not made.
pub enum Unchosen {
    /// Something else was said since.
    Stale,
    /// It cannot be kept, for this reason.
    Unkept(String),
}

/// The session of a class, as it was if nothing was said since.
fn session_of(class: &LessonClass, state: &State) -> (LessonClass, Session) {
    if let Some(same) = state.replayed.iter().find(|(its, _)| its == class) {
        return same.clone();
    }
    let page = |request: &Request| {
        Some(SamplePage::new(
            request.url.as_str(),
            Arc::clone(state.pages.get(request)?),
        ))
    };
    let sample = class.sample.iter().filter_map(page).collect();
    (class.clone(), replay(class, sample, SessionOptions::default()))
}

/// Writes the specification where somebody wants it, whole or not at all.
fn write_specification(file: &Path, specification: &Specification) -> Result<(), String> {
    untemplate_store::write_whole(file, specification_text(specification).as_bytes())
        .map_err(|error| format!("cannot write {}: {error}", file.display()))
}
