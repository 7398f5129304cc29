//! Choices: what a person says at a time.

use url::Url;

use super::model::{Lesson, LessonAnswer};
use crate::page::Request;
use crate::rule::LocationPath;
use crate::teach::{CleanUp, Example, LessonClass, Means, Navigation, TaughtRows};

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
    /// "These are all of its fields": examples of several fields at a time.
    ShowAll {
        /// The page class.
        class: String,
        /// The fields, the pages and the values.
        examples: Vec<Example>,
        /// Fields, each with a page that is without it.
        absent: Vec<(String, usize)>,
    },
    /// "These rows": a table or list of the pages; in the place of what had its name before.
    Rows {
        /// The page class.
        class: String,
        /// Where the rows are, and what is read in each.
        rows: TaughtRows,
    },
    /// Rows that are not wanted after all.
    RemoveRows {
        /// The page class.
        class: String,
        /// What they are called.
        name: String,
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
    /// "This page does not belong", or that it does after all.
    Belongs {
        /// The page class.
        class: String,
        /// The page, as its number in the sample.
        page: usize,
        /// Whether it is one of the class.
        is_wanted: bool,
    },
    /// A field is called something else.
    RenameField {
        /// The page class.
        class: String,
        /// The field.
        field: String,
        /// Its new name.
        to: String,
    },
    /// The order of the columns.
    OrderFields {
        /// The page class.
        class: String,
        /// The names of the fields.
        fields: Vec<String>,
    },
    /// A field is read by a path that somebody wrote, and no longer by rules from examples.
    WriteRule {
        /// The page class.
        class: String,
        /// The field.
        field: String,
        /// What selects its values, from the document.
        path: LocationPath,
    },
    /// What is made of the values of a field.
    CleanField {
        /// The page class.
        class: String,
        /// The field.
        field: String,
        /// What is made of them.
        clean_up: CleanUp,
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
            Choice::ShowAll {
                class,
                examples,
                absent,
            } => {
                let examples = examples.into_iter();
                examples.for_each(|example| self.add_example(&class, example));
                if let Some(class) = self.class_mut(&class) {
                    class.absent.extend(absent);
                }
            }
            Choice::Rows { class, rows } => {
                if let Some(class) = self.class_mut(&class) {
                    class.add_rows(rows);
                }
            }
            Choice::RemoveRows { class, name } => {
                if let Some(class) = self.class_mut(&class) {
                    class.rows.retain(|its| its.name != name);
                }
            }
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
            Choice::Belongs { class, page, is_wanted } => {
                if let Some(class) = self.class_mut(&class) {
                    class.unwanted.retain(|its| *its != page);
                    class.unwanted.extend((!is_wanted).then_some(page));
                }
            }
            Choice::RenameField { class, .. }
            | Choice::OrderFields { class, .. }
            | Choice::WriteRule { class, .. }
            | Choice::CleanField { class, .. } => {
                if let Some(class) = self.class_mut(&class) {
                    class.take_shape(choice);
                }
            }
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

impl LessonClass {
    /// Takes in a choice about the shape of the class.
    fn take_shape(&mut self, choice: &Choice) {
        match choice.clone() {
            Choice::RenameField { field, to, .. } => self.rename(&field, &to),
            Choice::OrderFields { fields, .. } => self.shape.order = fields,
            Choice::WriteRule { field, path, .. } => {
                let (order, clean_up) = (self.shape.order.clone(), self.shape.clean_up(&field));
                self.forget(&field);
                self.shape.order = order;
                self.shape.clean_ups.push((field.clone(), clean_up));
                self.shape.by_hand.push((field, path));
            }
            Choice::CleanField { field, clean_up, .. } => {
                self.shape.clean_ups.retain(|(its, _)| *its != field);
                self.shape.clean_ups.push((field, clean_up));
            }
            _ => {}
        }
    }
}
