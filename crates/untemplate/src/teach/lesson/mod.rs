//! A lesson: all that a person said about a site, choice by choice, and what follows from it.
//!
//! In: [`Choice`]s in the order they were made, and the pages that they are about. Out: a
//! [`Lesson`], the [`Session`](super::Session) of each of its page classes, and the
//! [`Specification`](super::Specification). Nothing else is kept: who has the choices can replay
//! them, leave the last one out, or add one, and gets the same specification as whoever wrote the
//! same examples and answers down beforehand.

mod choice;
mod model;
mod present;
mod replay;
mod shape;
mod specify;

pub use choice::Choice;
pub use model::{Lesson, LessonAnswer, LessonClass};
pub use present::PresentLesson;
pub use replay::replay;
pub use shape::Shape;
pub use specify::Taught;

#[cfg(test)]
mod tests;
