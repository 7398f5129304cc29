//! The blocks of the table skin.

use super::tables::Page;
use crate::content::{Block, Day, FormField, Item, Link, Value};

/// Writes a block.
pub fn render_block(page: &mut Page, block: &Block) {
    match block {
        Block::Facts {
            heading: None, rows, ..
        } => facts(page, rows),
        Block::Facts {
            heading: Some(heading),
            rows,
            ..
        } => fact_lines(page, heading, rows),
        Block::Grid {
            heading, columns, rows, ..
        } => grid(page, heading, columns, rows),
        Block::Items { heading, items, .. } => {
            title(page, heading);
            list(page, items);
        }
        Block::Sides { heading, sides, .. } => sides_table(page, heading, sides),
        Block::Prose {
            heading, paragraphs, ..
        } => {
            if let Some(heading) = heading {
                title(page, heading);
            }
            for paragraph in paragraphs {
                page.raw("<P>").text(paragraph).raw("\n");
            }
        }
        Block::Score { home, away } => score(page, home, away),
        Block::Bar { links, .. } => bar(page, links),
        Block::Form { method, action, fields } => form(page, method, action, fields),
        Block::Month { weeks } => month(page, weeks),
    }
}

fn title(page: &mut Page, heading: &str) {
    page.raw("<H3><FONT FACE=\"Verdana\">")
        .text(heading)
        .raw("</FONT></H3>\n");
}

/// Label and value in two cells.
fn facts(page: &mut Page, rows: &[(&'static str, Value)]) {
    page.raw("<TABLE BORDER=\"0\" CELLPADDING=\"2\" CELLSPACING=\"1\">\n");
    for (label, value) in rows {
        page.raw("<TR><TD BGCOLOR=\"#CCDDEE\"><FONT SIZE=\"2\"><B>")
            .text(label)
            .raw(":</B></FONT>");
        page.raw("<TD><FONT SIZE=\"2\">").value(value).raw("</FONT>\n");
    }
    page.raw("</TABLE>\n");
}

/// Label and value in lines of one paragraph.
fn fact_lines(page: &mut Page, heading: &str, rows: &[(&'static str, Value)]) {
    title(page, heading);
    page.raw("<P>");
    for (label, value) in rows {
        page.raw("<B>").text(label).raw(":</B> ").value(value).raw("<BR>\n");
    }
}

fn grid(page: &mut Page, heading: &str, columns: &[&str], rows: &[Vec<Value>]) {
    title(page, heading);
    page.raw("<TABLE BORDER=\"1\" WIDTH=\"100%\" CELLPADDING=\"3\" CELLSPACING=\"0\">\n<TR BGCOLOR=\"#003366\">");
    for column in columns {
        page.raw("<TH ALIGN=\"left\"><FONT COLOR=\"#FFFFFF\" SIZE=\"2\">")
            .text(column)
            .raw("</FONT>");
    }
    for (index, row) in rows.iter().enumerate() {
        page.raw(if index % 2 == 0 {
            "\n<TR BGCOLOR=\"#FFFFFF\">"
        } else {
            "\n<TR BGCOLOR=\"#EEEEEE\">"
        });
        for value in row {
            page.raw("<TD>").value(value);
        }
    }
    page.raw("\n</TABLE>\n");
}

fn list(page: &mut Page, items: &[Item]) {
    page.raw("<UL>\n");
    for item in items {
        page.raw("<LI>");
        if let Some(before) = &item.before {
            page.raw("<I>").text(before).raw("</I> ");
        }
        page.value(&item.value);
        if let Some(after) = &item.after {
            page.raw(" <FONT SIZE=\"1\">").text(after).raw("</FONT>");
        }
        page.raw("\n");
    }
    page.raw("</UL>\n");
}

fn sides_table(page: &mut Page, heading: &str, sides: &[(String, Vec<Item>); 2]) {
    title(page, heading);
    page.raw("<TABLE BORDER=\"0\" WIDTH=\"100%\"><TR VALIGN=\"top\">\n");
    for (name, items) in sides {
        page.raw("<TD WIDTH=\"50%\"><B>").text(name).raw("</B>\n");
        if items.is_empty() {
            page.raw("<P>None\n");
        } else {
            list(page, items);
        }
    }
    page.raw("</TABLE>\n");
}

fn score(page: &mut Page, home: &(Link, usize), away: &(Link, usize)) {
    page.raw("<CENTER><TABLE BORDER=\"0\" CELLPADDING=\"8\"><TR><TD>")
        .link(&home.0);
    page.raw("<TD><FONT SIZE=\"6\"><B>")
        .text(&home.1.to_string())
        .raw("</B></FONT>");
    page.raw("<TD><FONT SIZE=\"6\"><B>")
        .text(&away.1.to_string())
        .raw("</B></FONT>");
    page.raw("<TD>").link(&away.0).raw("\n</TABLE></CENTER>\n");
}

fn bar(page: &mut Page, links: &[Link]) {
    page.raw("<P><FONT FACE=\"Verdana\">[");
    for link in links {
        page.raw(" ").link(link);
    }
    page.raw(" ]</FONT>\n");
}

fn form(page: &mut Page, method: &str, action: &str, fields: &[FormField]) {
    page.raw("<FORM METHOD=\"")
        .raw(method)
        .raw("\" ACTION=\"")
        .raw(action)
        .raw("\">\n");
    for field in fields {
        page.text(field.label).raw(": ");
        if field.choices.is_empty() {
            page.raw("<INPUT TYPE=\"text\" NAME=\"")
                .raw(field.name)
                .raw("\" VALUE=\"")
                .text(&field.value)
                .raw("\">\n");
            continue;
        }
        page.raw("<SELECT NAME=\"").raw(field.name).raw("\">\n");
        for (value, text) in &field.choices {
            let selected = if *value == field.value { "\" SELECTED>" } else { "\">" };
            page.raw("<OPTION VALUE=\"")
                .text(value)
                .raw(selected)
                .text(text)
                .raw("\n");
        }
        page.raw("</SELECT>\n");
    }
    page.raw("<INPUT TYPE=\"submit\" VALUE=\"Search\">\n</FORM>\n");
}

fn month(page: &mut Page, weeks: &[[Option<Day>; 7]]) {
    page.raw("<TABLE BORDER=\"1\" WIDTH=\"100%\" CELLPADDING=\"2\"><TR BGCOLOR=\"#CCDDEE\"><TH>Mo<TH>Tu<TH>We<TH>Th<TH>Fr<TH>Sa<TH>Su\n");
    for day in weeks.iter().flat_map(|week| week.iter().enumerate()) {
        page.raw(if day.0 == 0 { "<TR VALIGN=\"top\"><TD>" } else { "<TD>" });
        match day.1 {
            None => page.raw("&nbsp;"),
            Some(day) => page.raw("<B>").text(&day.day.to_string()).raw("</B>"),
        };
        if let Some(game) = day.1.as_ref().and_then(|day| day.game.as_ref()) {
            page.raw("<BR><FONT SIZE=\"1\">").link(game).raw("</FONT>");
        }
        if let Some(more) = day.1.as_ref().map(|day| day.more).filter(|&more| more > 0) {
            page.raw("<BR><FONT SIZE=\"1\">and ")
                .text(&more.to_string())
                .raw(" more</FONT>");
        }
        page.raw("\n");
    }
    page.raw("</TABLE>\n");
}
