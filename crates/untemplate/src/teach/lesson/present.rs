//! What is left of a lesson where some of its pages cannot be fetched any more.
//!
//! Choices name pages by their number in the sample. A page that is gone takes with it all that was
//! said about it, and the others keep what was said about them: the sample closes up, and every
//! number in the lesson changes with it.

use super::model::{Lesson, LessonClass};
use crate::page::Request;
use crate::teach::Origin;

/// A lesson about the pages that are there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresentLesson {
    /// The lesson, whose page numbers are those among the pages that are there.
    pub lesson: Lesson,
    /// For each class and page that is there, its number in the whole sample.
    pub numbers: Vec<Vec<usize>>,
    /// What was left out with the pages that are not there, for people.
    pub lost: Vec<String>,
}

impl PresentLesson {
    /// The number that a page has in the whole sample of its class.
    pub fn whole_number(&self, class: &str, page: usize) -> Option<usize> {
        let index = self.lesson.classes.iter().position(|its| its.id == class)?;
        self.numbers.get(index)?.get(page).copied()
    }
}

impl Lesson {
    /// The lesson without the pages that are not there, and without what was said about them.
    pub fn present(&self, is_there: impl Fn(&Request) -> bool) -> PresentLesson {
        let mut lesson = self.clone();
        let mut numbers = Vec::new();
        let mut lost = Vec::new();
        for class in &mut lesson.classes {
            let its = class.sample.iter().enumerate().filter(|(_, request)| is_there(request));
            let its: Vec<usize> = its.map(|(number, _)| number).collect();
            if its.len() < class.sample.len() {
                leave_out_missing(class, &its, &mut lost);
            }
            numbers.push(its);
        }
        let Lesson {
            classes, navigation, ..
        } = &mut lesson;
        navigation.retain_mut(|its| {
            let is_kept = match &mut its.origin {
                Origin::SamplePage { class, page } => {
                    let index = classes.iter().position(|its| its.id == *class);
                    index.is_some_and(|index| renumbered(page, &numbers[index]))
                }
                Origin::Class(_) | Origin::Page(_) => true,
            };
            if !is_kept {
                lost.push(format!(
                    "{}: the page that it was taught on is missing, so that it is not followed",
                    its.id
                ));
            }
            is_kept
        });
        PresentLesson { lesson, numbers, lost }
    }
}

/// The number of a page among those that are there.
fn new_number(there: &[usize], page: usize) -> Option<usize> {
    there.binary_search(&page).ok()
}

fn leave_out_missing(class: &mut LessonClass, there: &[usize], lost: &mut Vec<String>) {
    let fields: Vec<String> = class.field_names().into_iter().map(str::to_owned).collect();
    let n_said = class.examples.len() + class.answers.len();
    class
        .examples
        .retain_mut(|example| renumbered(&mut example.page, there));
    class.answers.retain_mut(|answer| renumbered(&mut answer.page, there));
    class.unwanted.retain_mut(|page| renumbered(page, there));
    class.absent.retain_mut(|(_, page)| renumbered(page, there));
    let n_missing = class.sample.len() - there.len();
    let n_unsaid = n_said - class.examples.len() - class.answers.len();
    class.sample = there.iter().map(|&number| class.sample[number].clone()).collect();
    lost.push(format!(
        "{}: {n_missing} of its {} pages missing, and with them {n_unsaid} of the {n_said} examples and answers",
        class.id,
        there.len() + n_missing
    ));
    let left = class.field_names();
    let gone = fields.iter().filter(|field| !left.contains(&field.as_str()));
    lost.extend(gone.map(|field| {
        format!(
            "{}: {field} was shown on missing pages alone, so that it is not read",
            class.id
        )
    }));
}

fn renumbered(page: &mut usize, there: &[usize]) -> bool {
    let number = new_number(there, *page);
    *page = number.unwrap_or(*page);
    number.is_some()
}
