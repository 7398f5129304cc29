//! Facts: what is true of the record that a page shows, and how a rebuilt cell may spell it.

use crate::database::{Article, Coach, Match, Money, Person, Player, Stadium, Team};
use crate::language::Language;
use crate::route::{Route, path_of};
use crate::site::DemoSite;

/// A value of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The column of the truth.
    pub name: &'static str,
    /// What a cell that holds it may say, each as [`plain`] makes it.
    pub spellings: Vec<String>,
}

/// A text with single blanks, and no separators between thousands.
pub fn plain(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == ',');
    match is_number(&text) {
        true => text.replace(',', ""),
        false => text,
    }
}

fn fact(name: &'static str, value: impl ToString) -> Fact {
    Fact {
        name,
        spellings: vec![plain(&value.to_string())],
    }
}

/// One of the words that a site in two languages translates.
fn word(name: &'static str, value: &str) -> Fact {
    Fact {
        name,
        spellings: [Language::English, Language::German]
            .map(|language| plain(language.say(value)))
            .to_vec(),
    }
}

/// Metres as a number, and as pages show them.
fn metres(name: &'static str, number: f64, digits: usize) -> Fact {
    Fact {
        name,
        spellings: vec![number.to_string(), format!("{number:.digits$} m")],
    }
}

fn amount(name: &'static str, money: Money) -> Fact {
    fact(name, money.amount)
}

impl DemoSite {
    /// The kind of record that a page shows, and what is true of it; none where it shows none.
    pub fn facts(&self, route: &Route) -> Option<(&'static str, Vec<Fact>)> {
        let database = &self.source.database;
        Some(match *route {
            Route::Stadium(id) => ("stadiums", stadium_facts(database.stadium(id))),
            Route::Team(id) => ("teams", self.team_facts(database.team(id))),
            Route::Player(id) => ("players", self.player_facts(database.player(id))),
            Route::Coach(id) => ("coaches", self.coach_facts(database.coach(id))),
            Route::Match(id) => ("matches", self.match_facts(database.match_by_id(id))),
            Route::Article(id) => ("articles", article_facts(database.article(id))),
            _ => return None,
        })
    }

    /// A record with a page of its own: its address, or what the pages call it.
    fn link(&self, name: &'static str, route: &Route, called: &str) -> Fact {
        Fact {
            name,
            spellings: vec![path_of(route, &self.source.database), plain(called)],
        }
    }

    fn team_link(&self, name: &'static str, id: u32) -> Fact {
        self.link(name, &Route::Team(id), &self.source.database.team(id).name)
    }

    fn team_facts(&self, team: &Team) -> Vec<Fact> {
        let database = &self.source.database;
        let stadium = database.stadium(team.stadium);
        let coach = database.coach(team.coach);
        let mut facts = vec![
            fact("name", &team.name),
            fact("city", &team.city),
            fact("founded", team.founded),
            fact("colours", &team.colours),
            self.link("stadium", &Route::Stadium(team.stadium), &stadium.name),
            self.link("coach", &Route::Coach(team.coach), &coach.person.name()),
        ];
        facts.extend(team.budget.map(|budget| amount("budget", budget)));
        facts
    }

    fn person_facts(&self, person: &Person) -> Vec<Fact> {
        let mut facts = vec![
            fact("name", person.name()),
            fact("birthplace", &person.birthplace),
            fact("nationality", &person.nationality),
        ];
        facts.extend(person.nickname.as_ref().map(|nickname| fact("nickname", nickname)));
        facts.extend(person.team.map(|team| self.team_link("team", team)));
        facts.extend(person.born.map(|born| fact("born", born.iso())));
        facts.extend(person.biography.as_ref().map(|biography| fact("biography", biography)));
        facts
    }

    fn player_facts(&self, player: &Player) -> Vec<Fact> {
        let mut facts = self.person_facts(&player.person);
        facts.extend([
            word("position", player.position.word()),
            fact("shirt", player.shirt),
            fact("weight", player.weight_kg),
            word("foot", player.foot.word()),
        ]);
        let height = player.height_cm.map(|height| f64::from(height) / 100.0);
        facts.extend(height.map(|height| metres("height", height, 2)));
        if let Some(transfer) = &player.transfer {
            facts.push(amount("transfer fee", transfer.fee));
            facts.push(fact("transfer year", transfer.year));
            facts.push(self.team_link("transfer from", transfer.from));
        }
        facts
    }

    fn coach_facts(&self, coach: &Coach) -> Vec<Fact> {
        let mut facts = self.person_facts(&coach.person);
        facts.push(word("role", coach.role.word()));
        facts
    }

    fn match_facts(&self, game: &Match) -> Vec<Fact> {
        let stadium = self.source.database.stadium(game.stadium);
        let (home_goals, away_goals) = game.score();
        let kick_off = format!("{:02}:{:02}", game.kick_off_minutes / 60, game.kick_off_minutes % 60);
        let mut facts = vec![
            fact("round", game.round),
            fact("date", game.date.iso()),
            Fact {
                name: "kick-off",
                spellings: vec![format!("{kick_off}:00"), kick_off],
            },
            self.team_link("home", game.home),
            self.team_link("away", game.away),
            fact("home goals", home_goals),
            fact("away goals", away_goals),
            self.link("stadium", &Route::Stadium(game.stadium), &stadium.name),
            fact("referee", &game.referee),
        ];
        facts.extend(game.attendance.map(|attendance| fact("attendance", attendance)));
        facts
    }
}

fn stadium_facts(stadium: &Stadium) -> Vec<Fact> {
    let mut facts = vec![
        fact("name", &stadium.name),
        fact("city", &stadium.city),
        fact("capacity", stadium.capacity),
        fact("opened", stadium.opened),
        word("surface", stadium.surface.word()),
        metres("pitch length", f64::from(stadium.pitch_length_dm) / 10.0, 1),
        metres("pitch width", f64::from(stadium.pitch_width_dm) / 10.0, 1),
    ];
    facts.extend(stadium.architect.as_ref().map(|architect| fact("architect", architect)));
    facts
}

fn article_facts(article: &Article) -> Vec<Fact> {
    let mut facts = vec![fact("headline", &article.headline), fact("date", article.date.iso())];
    facts.extend(article.author.as_ref().map(|author| fact("author", author)));
    facts
}
