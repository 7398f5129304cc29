//! Choices: what a person says at a time.

use url::Url;

use super::model::{Lesson, LessonAnswer, LessonExample, Means, Way};
use crate::page::Request;
use crate::teach::FieldChoice;

/// One thing that a person said. Pages are named by their class and their number in its sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// "Follow links like this", or with the class itself as target, "these are the next pages".
    Follow {
        /// The name of the request class.
        id: String,
        /// The page class that the links are on.
        from: String,
        /// The page that they were clicked on.
        page: usize,
        /// The links that were clicked.
        clicked: Vec<Url>,
        /// The rule that was chosen, as text.
        rule: String,
        /// The page class that they lead to.
        to: String,
        /// Pages that they lead to, for the sample of that class.
        sample: Vec<Request>,
    },
    /// A form, filled in.
    Submit {
        /// The name of the request class.
        id: String,
        /// The page class that the form is on.
        from: String,
        /// The page that it was filled in on.
        page: usize,
        /// Where the form is, as an XPath.
        form: String,
        /// What its fields are given.
        fields: Vec<FieldChoice>,
        /// The page class that it leads to.
        to: String,
        /// Pages that it leads to, for the sample of that class.
        sample: Vec<Request>,
    },
    /// "This is the price here."
    Show {
        /// The page class.
        class: String,
        /// The field, the page and the value.
        example: LessonExample,
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
    RemoveWay {
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
            Choice::Follow { sample, .. } | Choice::Submit { sample, .. } => self.add_way(choice, sample),
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
                let way = self.ways.iter_mut().find(|way| way.id == id);
                if let Some(Means::Links { rule, .. }) = way.map(|way| &mut way.means) {
                    *rule = chosen;
                }
            }
            Choice::More { class, sample } => self.add_sample(&class, sample),
            Choice::RemoveField { class, field } => {
                if let Some(class) = self.class_mut(&class) {
                    class.forget(&field);
                }
            }
            Choice::RemoveWay { id } => self.ways.retain(|way| way.id != id),
        }
    }

    fn add_example(&mut self, class: &str, example: LessonExample) {
        if let Some(class) = self.class_mut(class)
            && !class.examples.contains(&example)
        {
            class.examples.push(example);
        }
    }

    fn add_way(&mut self, choice: &Choice, sample: Vec<Request>) {
        let Some(way) = Way::of(choice).filter(|way| self.class(&way.from).is_some()) else {
            return;
        };
        self.add_sample(&way.to, sample);
        self.ways.retain(|its| its.id != way.id);
        self.ways.push(way);
    }
}

impl Way {
    /// The way that a choice teaches, if it teaches one.
    fn of(choice: &Choice) -> Option<Self> {
        let (id, from, page, to, means) = match choice.clone() {
            Choice::Follow {
                id,
                from,
                page,
                to,
                clicked,
                rule,
                ..
            } => (id, from, page, to, Means::Links { clicked, rule }),
            Choice::Submit {
                id,
                from,
                page,
                to,
                form,
                fields,
                ..
            } => (id, from, page, to, Means::Form { form, fields }),
            _ => return None,
        };
        Some(Self {
            id,
            from,
            page,
            means,
            to,
        })
    }
}
