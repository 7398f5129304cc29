//! Choices: what a person says at a time.

use url::Url;

use super::model::{Lesson, LessonAnswer};
use crate::page::Request;
use crate::teach::{Example, Means, Navigation};

/// One thing that a person said. Pages are named by their class and their number in its sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// "Follow links like this", a form that was filled in, or with the class itself as target,
    /// "these are the next pages".
    Navigate {
        /// What is followed, from a page of a sample.
        navigation: Navigation,
        /// Pages that it leads to, for the sample of their class.
        sample: Vec<Request>,
    },
    /// "This is the price here."
    Show {
        /// The page class.
        class: String,
        /// The field, the page and the value.
        example: Example,
    },
    /// The answer to a question.
    Answer {
        /// The page class.
        class: String,
        /// What was said.
        answer: LessonAnswer,
    },
    /// A rule of a field is not to be used; its runner-up takes its place.
    LeaveOut {
        /// The page class.
        class: String,
        /// The field.
        field: String,
        /// The rule, as text.
        rule: String,
    },
    /// Another rule for links that are followed.
    Swap {
        /// The request class.
        id: String,
        /// The rule, as text.
        rule: String,
    },
    /// More pages for the sample of a class.
    More {
        /// The page class.
        class: String,
        /// The pages.
        sample: Vec<Request>,
    },
    /// A field that is not wanted after all.
    RemoveField {
        /// The page class.
        class: String,
        /// The field.
        field: String,
    },
    /// Links or a form that are not to be followed after all.
    RemoveNavigation {
        /// The request class.
        id: String,
    },
}

impl Lesson {
    /// What a person said, in all.
    pub fn of(entry: Url, choices: &[Choice]) -> Self {
        let mut lesson = Self::new(entry);
        choices.iter().for_each(|choice| lesson.take(choice));
        lesson
    }

    /// Takes in one more choice. One that names what is not there changes nothing.
    pub fn take(&mut self, choice: &Choice) {
        match choice.clone() {
            Choice::Navigate { navigation, sample } => self.add_navigation(navigation, sample),
            Choice::Show { class, example } => self.add_example(&class, example),
            Choice::Answer { class, answer } => {
                if let Some(class) = self.class_mut(&class) {
                    let is_same = |its: &LessonAnswer| (&its.field, its.page) == (&answer.field, answer.page);
                    class.answers.retain(|its| !is_same(its));
                    class.answers.push(answer);
                }
            }
            Choice::LeaveOut { class, field, rule } => {
                if let Some(class) = self.class_mut(&class) {
                    class.left_out.push((field, rule));
                }
            }
            Choice::Swap { id, rule: chosen } => {
                let navigation = self.navigation.iter_mut().find(|its| its.id == id);
                if let Some(Means::Links { rule, .. }) = navigation.map(|its| &mut its.means) {
                    *rule = Some(chosen);
                }
            }
            Choice::More { class, sample } => self.add_sample(&class, sample),
            Choice::RemoveField { class, field } => {
                if let Some(class) = self.class_mut(&class) {
                    class.forget(&field);
                }
            }
            Choice::RemoveNavigation { id } => self.navigation.retain(|its| its.id != id),
        }
    }

    fn add_example(&mut self, class: &str, example: Example) {
        if let Some(class) = self.class_mut(class)
            && !class.examples.contains(&example)
        {
            class.examples.push(example);
        }
    }

    fn add_navigation(&mut self, navigation: Navigation, sample: Vec<Request>) {
        if navigation.from_class().and_then(|from| self.class(from)).is_some() {
            self.add_sample(&navigation.to, sample);
            self.navigation.retain(|its| its.id != navigation.id);
            self.navigation.push(navigation);
        }
    }
}
