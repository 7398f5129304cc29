//! The table skin: a site of about 2001. Layout by nested tables, fonts and colours in the markup,
//! upper-case tags, end tags left out where browsers did not mind, and no class anywhere.
//!
//! Written with a small builder of its own, since template engines close what they open. All text
//! is ASCII with entities, so that the declared windows-1252 is true.

use super::address::relative;
use super::menu::{FOOTER, MENU, SITE_NAME, visitor};
use super::tables_blocks::render_block;
use crate::content::{Link, PageContent, Value};

/// Renders a page.
pub fn render(content: &PageContent) -> String {
    let mut page = Page {
        html: String::with_capacity(8192),
        path: content.path.clone(),
    };
    head(&mut page, &content.title);
    menu(&mut page);
    page.raw("<TD WIDTH=\"610\" VALIGN=\"top\">\n");
    crumbs(&mut page, content);
    page.raw("<H1><FONT FACE=\"Verdana\" COLOR=\"#003366\">")
        .text(&content.title)
        .raw("</FONT></H1>\n");
    for block in &content.blocks {
        render_block(&mut page, block);
    }
    if !content.class.is_detail() {
        pager(&mut page, content);
    }
    page.raw("</TABLE>\n");
    related(&mut page, content);
    footer(&mut page);
    page.html
}

/// A page in the making.
pub struct Page {
    /// What is written so far.
    pub html: String,
    /// The address of the page, to which links are relative.
    pub path: String,
}

impl Page {
    /// Writes markup.
    pub fn raw(&mut self, markup: &str) -> &mut Self {
        self.html.push_str(markup);
        self
    }

    /// Writes text: whatever is not ASCII becomes an entity.
    pub fn text(&mut self, text: &str) -> &mut Self {
        for letter in text.chars() {
            match letter {
                '&' => self.html.push_str("&amp;"),
                '<' => self.html.push_str("&lt;"),
                '>' => self.html.push_str("&gt;"),
                '"' => self.html.push_str("&quot;"),
                'é' => self.html.push_str("&eacute;"),
                'ö' => self.html.push_str("&ouml;"),
                'ü' => self.html.push_str("&uuml;"),
                'ñ' => self.html.push_str("&ntilde;"),
                '£' => self.html.push_str("&pound;"),
                '€' => self.html.push_str("&euro;"),
                _ if letter.is_ascii() => self.html.push(letter),
                _ => self.html.push_str(&format!("&#{};", u32::from(letter))),
            }
        }
        self
    }

    /// Writes a link, relative to this page.
    pub fn link(&mut self, link: &Link) -> &mut Self {
        let address = relative(&self.path, &link.target);
        self.raw("<A HREF=\"")
            .text(&address)
            .raw("\">")
            .text(&link.text)
            .raw("</A>")
    }

    /// Writes a value.
    pub fn value(&mut self, value: &Value) -> &mut Self {
        match value {
            Value::Text(text) => self.text(text),
            Value::Link(link) => self.link(link),
            Value::Date(date) => self.text(&date.short()),
            Value::Missing => self.raw("&nbsp;"),
        }
    }
}

fn head(page: &mut Page, title: &str) {
    page.raw("<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">\n<HTML>\n<HEAD>\n");
    page.raw("<META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=windows-1252\">\n");
    page.raw("<TITLE>")
        .text(SITE_NAME)
        .raw(" :: ")
        .text(title)
        .raw("</TITLE>\n</HEAD>\n");
    page.raw("<BODY BGCOLOR=\"#FFFFFF\" TEXT=\"#222222\" LINK=\"#003399\" VLINK=\"#663399\">\n");
    page.raw("<TABLE WIDTH=\"760\" BORDER=\"0\" CELLPADDING=\"6\" CELLSPACING=\"0\" ALIGN=\"center\">\n");
    page.raw("<TR><TD COLSPAN=\"2\" BGCOLOR=\"#003366\"><FONT FACE=\"Verdana\" SIZE=\"5\" COLOR=\"#FFFFFF\"><B>");
    page.text(SITE_NAME).raw("</B></FONT>\n<TR>\n");
}

fn menu(page: &mut Page) {
    page.raw("<TD WIDTH=\"150\" VALIGN=\"top\" BGCOLOR=\"#E8EEF4\">\n<TABLE BORDER=\"0\" WIDTH=\"100%\" CELLPADDING=\"3\">\n");
    for (target, text) in MENU {
        page.raw("<TR><TD BGCOLOR=\"#FFFFFF\"><FONT FACE=\"Verdana\" SIZE=\"2\"><A HREF=\"")
            .raw(target);
        page.raw("\">").text(text).raw("</A></FONT>\n");
    }
    page.raw("</TABLE>\n");
}

fn crumbs(page: &mut Page, content: &PageContent) {
    page.raw("<FONT FACE=\"Verdana\" SIZE=\"1\">You are here: ");
    for crumb in &content.crumbs {
        page.link(crumb).raw(" &gt; ");
    }
    page.text(&content.title).raw("</FONT>\n");
}

fn pager(page: &mut Page, content: &PageContent) {
    if content.previous.is_none() && content.next.is_none() {
        return;
    }
    page.raw("<P ALIGN=\"center\"><FONT SIZE=\"2\">");
    if let Some(link) = &content.previous {
        page.raw("&lt;&lt; ").link(link);
    }
    page.raw(" | ");
    if let Some(link) = &content.next {
        page.link(link).raw(" &gt;&gt;");
    }
    page.raw("</FONT>\n");
}

fn related(page: &mut Page, content: &PageContent) {
    if content.related.is_empty() {
        return;
    }
    page.raw("<TABLE WIDTH=\"760\" ALIGN=\"center\" BORDER=\"1\" CELLPADDING=\"4\"><TR><TD BGCOLOR=\"#FFFFCC\">");
    page.raw("<FONT FACE=\"Verdana\" SIZE=\"2\"><B>Related news</B></FONT><UL>\n");
    for (date, link) in &content.related {
        page.raw("<LI>")
            .link(link)
            .raw(" <I>")
            .text(&date.short())
            .raw("</I>\n");
    }
    page.raw("</UL></TABLE>\n");
}

fn footer(page: &mut Page) {
    page.raw("<HR WIDTH=\"760\">\n<CENTER><FONT SIZE=\"1\">");
    for (target, text) in FOOTER {
        page.raw("<A HREF=\"").raw(target).raw("\">").text(text).raw("</A> | ");
    }
    let visitor = visitor(&page.path).to_string();
    page.raw("Page generated for visitor no. <B>")
        .raw(&visitor)
        .raw("</B></FONT></CENTER>\n</BODY>\n</HTML>\n");
}
