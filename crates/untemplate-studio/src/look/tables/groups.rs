//! Counts by value: the rows of a table that match, grouped by a column.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::html;
use untemplate_report::number;

use super::catalogue::ask;
use super::column_of;
use super::grid::{View, cut};
use super::question::{Condition, From, How, Question};
use super::rows::{GROUPS_MAX, groups};
use crate::layout::{Frame, Part, page, trouble};
use crate::router::Shared;
use crate::teach::asked::Asked;

/// `GET /look/table/groups?at=…&table=…&by=…` and what is asked of the rows.
pub async fn view(State(studio): Shared, asked: Asked) -> Response {
    let (file, table, column) = match column_of(&studio, &asked, "by") {
        Ok(found) => found,
        Err(response) => return *response,
    };
    let question = Question {
        from: From::Start,
        ..Question::read(&asked, &table)
    };
    let (own, own_question) = (table.clone(), question.clone());
    let answer = ask(&file, move |connection| groups(connection, &own, &own_question, column)).await;
    let (found, n_groups) = match answer {
        Ok(found) => found,
        Err(reason) => {
            let markup = trouble(&studio, Part::Look, "The rows cannot be counted", &reason);
            return (StatusCode::UNPROCESSABLE_ENTITY, markup).into_response();
        }
    };
    let name = &table.columns[column].name;
    let view = View {
        studio: &studio,
        at: asked.get("at"),
        table: &table,
        question: &question,
    };
    let rows_with = |value: &Option<String>| {
        let mut narrower = question.clone();
        narrower.conditions.push(Condition {
            column,
            how: if value.is_some() { How::Is } else { How::Empty },
            value: value.clone().unwrap_or_default(),
        });
        view.asking("/look/table", &narrower, &[])
    };
    let most = found.first().map_or(1, |(_, count)| *count).max(1);
    let content = html! {
        h1 { (table.name) " by " (name) }
        p.quiet {
            a href=(view.asking("/look/table", &question, &[])) { "the rows" } " · " (number(n_groups)) @if n_groups == 1 { " value" } @else { " different values" }
            @if n_groups > GROUPS_MAX as u64 { ", the commonest " (GROUPS_MAX) " of them" }
        }
        table.list.groups {
            thead { tr { th { (name) } th.number { "Rows" } th.bar { span.unseen { "Share" } } } }
            tbody { @for (value, count) in &found {
                tr {
                    td { a href=(rows_with(value)) { @match value { Some(value) => { (cut(value)) } None => { span.quiet { "(empty)" } } } } }
                    td.number { (number(*count)) }
                    td.bar { meter min="0" max=(most) value=(count) { (count) } }
                }
            } }
        }
    };
    let title = format!("{name} · {}", table.name);
    page(&studio, &framed(&title), content).into_response()
}

fn framed(title: &str) -> Frame<'_> {
    Frame {
        title,
        part: Part::Look,
        scripts: &[],
        is_wide: false,
    }
}
