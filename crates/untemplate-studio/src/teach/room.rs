//! A room: one lesson, its pages, and what follows from its choices.
//!
//! Choices are kept in a file before anybody sees what they lead to. Sessions of classes that a choice does not touch are not replayed.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::task::block_in_place;
use untemplate::page::{Page, Request, Visit};
use untemplate::teach::{
    Choice, Lesson, LessonClass, SamplePage, Session, SessionOptions, Specification, Taught, replay,
};
use untemplate_store::{LessonFile, LessonFileError, read_lesson, specification_text, write_lesson};

use crate::desk::{Desk, OpenSite};
use crate::studio::LessonOptions;

/// One lesson.
pub struct Room {
    /// What it is called in addresses.
    pub name: String,
    /// Where it begins and is kept.
    pub options: LessonOptions,
    /// Where its pages are asked for.
    pub desk: Desk,
    state: Mutex<State>,
}

struct State {
    choices: Vec<Choice>,
    pages: HashMap<Request, Arc<Page>>,
    /// The last sessions, each with what was said when it was replayed.
    replayed: Vec<(LessonClass, Session)>,
    known: Option<Arc<Known>>,
}

/// What is known after the choices so far.
pub struct Known {
    /// The number of choices, which changes with each.
    pub n_choices: usize,
    /// What was said.
    pub lesson: Lesson,
    /// What follows.
    pub taught: Taught,
}

impl Known {
    /// The place of a class; that of the entry when there is no such class.
    pub fn class_index(&self, id: &str) -> usize {
        self.lesson.classes.iter().position(|class| class.id == id).unwrap_or(0)
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
    pub fn open(name: &str, options: LessonOptions, open_site: OpenSite) -> Result<Self, LessonFileError> {
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
            pages: HashMap::new(),
            replayed: Vec::new(),
            known: None,
        };
        Ok(Self {
            name: name.to_owned(),
            desk: Desk::open(options.entry.clone(), open_site),
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
        let lesson = Lesson::of(self.options.entry.clone(), &state.choices);
        self.bring_pages(&lesson, state).await?;
        let n_choices = state.choices.len();
        let taught = block_in_place(|| {
            state.replayed = lesson.classes.iter().map(|class| session_of(class, state)).collect();
            let sessions = state.replayed.iter().map(|(_, session)| session.clone()).collect();
            Taught::of(&lesson, sessions)
        });
        let known = Arc::new(Known {
            n_choices,
            lesson,
            taught,
        });
        state.known = Some(Arc::clone(&known));
        Ok(known)
    }

    /// Has all pages of the samples brought.
    async fn bring_pages(&self, lesson: &Lesson, state: &mut State) -> Result<(), String> {
        let wanted = lesson.classes.iter().flat_map(|class| &class.sample);
        let missing: Vec<Request> = wanted
            .filter(|request| !state.pages.contains_key(request))
            .cloned()
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        for (request, visit) in missing.iter().zip(self.desk.visit(&missing).await) {
            match visit {
                Visit::Page(page) => state.pages.insert(request.clone(), page),
                Visit::Dead { reason } | Visit::Refused { reason } | Visit::Failed { reason } => return Err(reason),
                Visit::Stopped => {
                    return Err(format!(
                        "{} could not be asked for: the source has stopped",
                        request.url
                    ));
                }
            };
        }
        Ok(())
    }

    /// Takes in a choice, and keeps it.
    pub async fn choose(&self, choice: Choice) -> Result<Arc<Known>, String> {
        let mut state = self.state.lock().await;
        state.choices.push(choice);
        let renewed = self.renew(&mut state).await;
        if renewed.is_err() {
            // What could not be kept was not chosen.
            state.choices.pop();
            state.known = None;
            let _ = self.keep(&state);
        }
        renewed
    }

    /// Takes the last choice back, if it is still the one that somebody saw as the last.
    pub async fn undo(&self, n_choices: usize) -> Result<Arc<Known>, String> {
        let mut state = self.state.lock().await;
        if state.choices.len() != n_choices || n_choices == 0 {
            return Err(
                "something else was chosen meanwhile, perhaps in another tab; look at it, and undo again".to_owned(),
            );
        }
        state.choices.pop();
        self.renew(&mut state).await
    }

    fn keep(&self, state: &State) -> Result<(), String> {
        let kept = LessonFile {
            entry: self.options.entry.clone(),
            choices: state.choices.clone(),
        };
        write_lesson(&self.options.file, &kept).map_err(|error| error.to_string())
    }

    async fn renew(&self, state: &mut State) -> Result<Arc<Known>, String> {
        self.keep(state)?;
        state.known = None;
        let known = self.know(state).await?;
        if let Some(file) = &self.options.specification
            && known.specification().check().is_ok()
        {
            write_specification(file, known.specification())?;
        }
        Ok(known)
    }
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
