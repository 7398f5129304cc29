//! The players of the demo site, and a specification that finds them.

#![allow(dead_code, reason = "each test program uses a part of this")]

use untemplate_demo::{DatabaseOptions, DemoSite, Skin, write_mirror};

use crate::program::Bench;

/// HOME -> hub -> initials -> player, and HOME -> form by POST -> results with next pages ->
/// player. The rules for players are loose on purpose: on the lists of initials they pick links to
/// other initials, too, and the assertion rejects those pages.
pub const PLAYERS: &str = r#"<codec version="1" site="http://cup.example/">
  <page-class id="HOME" entry="true">
    <address>http://cup.example/</address>
    <assertion><xpath>//h1[.='The Lantern Cup']</xpath></assertion>
  </page-class>
  <page-class id="HUB"><assertion><xpath>//main[@class='player_hub']</xpath></assertion></page-class>
  <page-class id="INITIAL"><assertion><xpath>//main[@class='initial']</xpath></assertion></page-class>
  <page-class id="FINDER"><assertion><xpath>//form</xpath></assertion></page-class>
  <page-class id="RESULTS"><assertion><xpath>//h1[.='Players found']</xpath></assertion></page-class>
  <page-class id="PLAYER"><assertion><xpath>//main[@class='person']/h1</xpath><xpath>//dt[.='Shirt number']</xpath></assertion></page-class>
  <request-class id="TOHUB" from="HOME" to="HUB" method="GET">
    <rule class="ABSOLUTE"><xpath>//section[@class='sections']/ul/li[1]/a/@href</xpath></rule>
  </request-class>
  <request-class id="BYINITIAL" from="HUB" to="INITIAL" method="GET">
    <rule class="URL-REGEX"><xpath>//main//a/@href</xpath><regex>/players/by-initial/[a-z]\.html$</regex></rule>
  </request-class>
  <request-class id="NEXTINITIAL" from="INITIAL" to="INITIAL" method="GET">
    <rule class="ABSOLUTE"><xpath>//link[@rel='next']/@href</xpath></rule>
  </request-class>
  <request-class id="OVERVIEW" from="INITIAL" to="PLAYER" method="GET">
    <rule class="ABSOLUTE"><xpath>//main//a/@href</xpath></rule>
  </request-class>
  <request-class id="TOFORM" from="HOME" to="FINDER" method="GET">
    <rule class="ABSOLUTE"><xpath>//a[.='Find a player'][1]/@href</xpath></rule>
  </request-class>
  <request-class id="BYPOSITION" from="FINDER" to="RESULTS" method="POST">
    <form xpath="//main/form[1]"><field name="position" values="options"/><field name="name" const=""/></form>
  </request-class>
  <request-class id="NEXT" from="RESULTS" to="RESULTS" method="GET">
    <rule class="ABSOLUTE"><xpath>//link[@rel='next']/@href</xpath></rule>
  </request-class>
  <request-class id="HIT" from="RESULTS" to="PLAYER" method="GET">
    <rule class="ABSOLUTE"><xpath>//td[@class='name']/a/@href</xpath></rule>
  </request-class>
  <wrapper page-class="PLAYER">
    <field name="name"><rule class="ABSOLUTE"><xpath>//main/h1[1]/text()</xpath></rule></field>
    <field name="position"><rule class="LABELED"><pivot>Position</pivot><xpath>../following-sibling::dd[1]/text()</xpath></rule></field>
    <field name="nickname" optional="true"><rule class="LABELED"><pivot>Nickname</pivot><xpath>../following-sibling::dd[1]/text()</xpath></rule></field>
    <field name="seasons" optional="true"><rule class="ABSOLUTE"><xpath>//td[@class='season']/text()</xpath></rule></field>
  </wrapper>
  <path name="initials">HOME TOHUB HUB BYINITIAL INITIAL OVERVIEW PLAYER</path>
  <path name="positions">HOME TOFORM FINDER BYPOSITION RESULTS HIT PLAYER</path>
</codec>"#;

/// Enough players that results have several pages.
pub const N_PLAYERS: u32 = 90;

pub fn site() -> DemoSite {
    let options = DatabaseOptions {
        players: N_PLAYERS,
        seed: 1,
    };
    DemoSite::new(options, Skin::Modern)
}

pub fn write_site(bench: &Bench) {
    write_mirror(&site(), &bench.path().join("cup")).expect("the site can be written");
    bench.write("players.xml", PLAYERS);
}

pub const MIRROR: [&str; 2] = ["--mirror", "http://cup.example/=cup/site"];

/// The whole site as records of a crawl, with what was sent to the form beside its answers.
pub fn warc(site: &DemoSite) -> Vec<u8> {
    let mut file = Vec::new();
    let mut record = |kind: &str, url: &str, id: usize, headers: &str, block: &str| {
        let length = block.len();
        let head = format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:{kind}:{id}>\r\n{headers}Content-Length: {length}\r\n\r\n"
        );
        file.extend([head.as_bytes(), block.as_bytes(), b"\r\n\r\n"].concat());
    };
    let answered = |body: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}");
    let http = "Content-Type: application/http\r\n";
    for (id, path) in site.paths().enumerate() {
        let url = format!("http://cup.example{path}");
        record(
            "response",
            &url,
            id,
            http,
            &answered(&site.answer("GET", &path, "").body),
        );
    }
    for (id, (file, answer)) in site.form_answers().into_iter().enumerate() {
        let id = id + 1_000_000;
        let (path, fields) = file.split_once('?').expect("an answer to a form has fields");
        let is_link = fields.contains("page=");
        let url = if is_link {
            format!("http://cup.example/{file}")
        } else {
            format!("http://cup.example/{path}")
        };
        record("response", &url, id, http, &answered(&answer.body));
        if !is_link {
            let headers = format!("WARC-Concurrent-To: <urn:response:{id}>\r\n{http}");
            let sent = format!("POST /{path} HTTP/1.1\r\nHost: cup.example\r\n\r\n{fields}");
            record("request", &url, id, &headers, &sent);
        }
    }
    file
}
