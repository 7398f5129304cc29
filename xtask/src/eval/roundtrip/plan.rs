//! What of the demo site's database stands on its pages, and how: the truth's tables and columns,
//! as SQL.

use super::value::Shown;

/// Name, SQL and looks of a column.
pub type ColumnPlan = (&'static str, &'static str, Shown);

/// A true table to read: its name, the table of the page that shows it, and the column with that
/// record's number.
pub struct Plan {
    pub name: &'static str,
    pub owner: &'static str,
    pub owner_id: &'static str,
    pub from: &'static str,
    pub columns: &'static [ColumnPlan],
}

const PERSON_NAME: &str = "first_name || ' ' || last_name";
const NOTE: &str = "CASE WHEN penalty THEN 'penalty' WHEN own_goal THEN 'own goal' END";
const SEASON: &[ColumnPlan] = &[
    ("year", "year", Shown::Integer("")),
    ("team_id", "team_id", Shown::To("team")),
    ("appearances", "appearances", Shown::Integer("")),
    ("goals", "goals", Shown::Integer("")),
];

pub const PLANS: [Plan; 17] = [
    plan(
        "stadium",
        "stadium",
        "id",
        "stadium ORDER BY id",
        &[
            ("name", "name", Shown::Text),
            ("city", "city", Shown::Text),
            ("capacity", "capacity", Shown::Integer("")),
            ("opened", "opened", Shown::Integer("")),
            ("surface", "surface", Shown::Word),
            ("pitch_length_m", "pitch_length_m", Shown::Metres(1)),
            ("pitch_width_m", "pitch_width_m", Shown::Metres(1)),
            ("architect", "architect", Shown::Text),
        ],
    ),
    plan(
        "team",
        "team",
        "id",
        "team ORDER BY id",
        &[
            ("name", "name", Shown::Text),
            ("city", "city", Shown::Text),
            ("founded", "founded", Shown::Integer("")),
            ("colours", "colours", Shown::Text),
            ("cup_group", "cup_group", Shown::Group),
            ("stadium_id", "stadium_id", Shown::To("stadium")),
            ("coach_id", "coach_id", Shown::To("coach")),
            ("budget", "budget", Shown::Amount),
            ("budget_currency", "budget_currency", Shown::Currency),
        ],
    ),
    plan(
        "player",
        "player",
        "id",
        "player LEFT JOIN player_prose ON player_id = id ORDER BY id",
        &[
            ("name", PERSON_NAME, Shown::Text),
            ("nickname", "nickname", Shown::Text),
            ("position", "position", Shown::Word),
            ("team_id", "team_id", Shown::To("team")),
            ("shirt", "shirt", Shown::Integer("")),
            ("born", "born", Shown::Date),
            ("birthplace", "birthplace", Shown::Text),
            ("nationality", "nationality", Shown::Text),
            ("height_m", "height_cm / 100.0", Shown::Metres(2)),
            ("weight_kg", "weight_kg", Shown::Integer(" kg")),
            ("foot", "foot", Shown::Word),
            ("transfer_fee", "transfer_fee", Shown::Amount),
            ("transfer_currency", "transfer_currency", Shown::Currency),
            ("transfer_year", "transfer_year", Shown::Integer("")),
            ("transfer_from_id", "transfer_from_id", Shown::To("team")),
            ("biography", "biography", Shown::Text),
            ("style", "style", Shown::Text),
            ("trivia", "trivia", Shown::Text),
        ],
    ),
    plan(
        "coach",
        "coach",
        "id",
        "coach ORDER BY id",
        &[
            ("name", PERSON_NAME, Shown::Text),
            ("nickname", "nickname", Shown::Text),
            ("role", "role", Shown::Word),
            ("team_id", "team_id", Shown::To("team")),
            ("born", "born", Shown::Date),
            ("birthplace", "birthplace", Shown::Text),
            ("nationality", "nationality", Shown::Text),
            ("biography", "biography", Shown::Text),
        ],
    ),
    plan(
        "match",
        "match",
        "id",
        "match ORDER BY id",
        &[
            ("cup_group", "cup_group", Shown::Group),
            ("round", "round", Shown::Integer("")),
            ("date", "date", Shown::Date),
            ("kick_off", "kick_off", Shown::Time),
            ("home_id", "home_id", Shown::To("team")),
            ("away_id", "away_id", Shown::To("team")),
            ("home_goals", "home_goals", Shown::Integer("")),
            ("away_goals", "away_goals", Shown::Integer("")),
            ("stadium_id", "stadium_id", Shown::To("stadium")),
            ("referee", "referee", Shown::Text),
            ("attendance", "attendance", Shown::Integer("")),
        ],
    ),
    plan(
        "article",
        "article",
        "id",
        "article ORDER BY id",
        &[
            ("headline", "headline", Shown::Text),
            ("date", "date", Shown::Date),
            ("author", "author", Shown::Text),
            (STORY, STORY_TEXT, Shown::Text),
        ],
    ),
    plan(
        "season",
        "player",
        "player_id",
        "season ORDER BY player_id, year DESC",
        SEASON,
    ),
    plan(
        "coach_season",
        "coach",
        "coach_id",
        "coach_season ORDER BY coach_id, year DESC",
        SEASON,
    ),
    plan(
        "goal",
        "match",
        "match_id",
        "goal ORDER BY match_id, id",
        &[
            ("team_id", "team_id", Shown::To("team")),
            ("player_id", "player_id", Shown::To("player")),
            ("minute", "minute", Shown::Integer("'")),
            ("note", NOTE, Shown::Word),
        ],
    ),
    plan(
        "lineup",
        "match",
        "match_id",
        "lineup ORDER BY match_id, rowid",
        &[
            ("team_id", "team_id", Shown::To("team")),
            ("player_id", "player_id", Shown::To("player")),
        ],
    ),
    plan(
        PARAGRAPHS,
        "article",
        "article_id",
        "article_paragraph ORDER BY article_id, number",
        &[("text", "text", Shown::Text)],
    ),
    plan(
        "article_player",
        "article",
        "article_id",
        "article_player ORDER BY article_id, rowid",
        &[("player_id", "player_id", Shown::To("player"))],
    ),
    plan(
        "article_team",
        "article",
        "article_id",
        "article_team ORDER BY article_id, rowid",
        &[("team_id", "team_id", Shown::To("team"))],
    ),
    plan(
        "article_match",
        "article",
        "id",
        "article WHERE match_id IS NOT NULL ORDER BY id",
        &[("match_id", "match_id", Shown::To("match"))],
    ),
    plan(
        "term",
        ALONE,
        "1",
        "term ORDER BY rowid",
        &[("word", "word", Shown::Text), ("meaning", "meaning", Shown::Text)],
    ),
    plan(
        "cup_group",
        "cup_group",
        "cup_group",
        "(SELECT DISTINCT cup_group FROM team) ORDER BY 1",
        &[("number", "cup_group", Shown::Group)],
    ),
    plan(
        "standing",
        "cup_group",
        "cup_group",
        STANDINGS,
        &[
            ("rank", "rank() OVER standings", Shown::Integer("")),
            ("team_id", "id", Shown::To("team")),
            ("won", "won", Shown::Integer("")),
            ("drawn", "drawn", Shown::Integer("")),
            ("lost", "lost", Shown::Integer("")),
            ("goals", "scored || ':' || conceded", Shown::Text),
            ("points", "points", Shown::Integer("")),
        ],
    ),
];

/// An article's text as one value, and the table that has it as a row a paragraph: two readings,
/// each of them right.
pub const STORY: &str = "story";
pub const PARAGRAPHS: &str = "article_paragraph";
const STORY_TEXT: &str = "(SELECT group_concat(text, ' ') FROM (SELECT text FROM article_paragraph WHERE article_id = article.id ORDER BY number))";

/// The page that stands alone in its class: there is no record for its list to refer to.
pub const ALONE: &str = "glossary";

/// The tables that are worked out from the others.
pub const DERIVED: [&str; 2] = ["cup_group", "standing"];

const STANDINGS: &str = "(SELECT team.id, team.cup_group, count(*) FILTER (WHERE scored > conceded) won,
    count(*) FILTER (WHERE scored = conceded) drawn, count(*) FILTER (WHERE scored < conceded) lost,
    coalesce(sum(scored), 0) scored, coalesce(sum(conceded), 0) conceded,
    3 * count(*) FILTER (WHERE scored > conceded) + count(*) FILTER (WHERE scored = conceded) points
  FROM team LEFT JOIN (SELECT home_id side, home_goals scored, away_goals conceded FROM match
    UNION ALL SELECT away_id, away_goals, home_goals FROM match) ON side = team.id GROUP BY team.id)
  WINDOW standings AS (PARTITION BY cup_group ORDER BY points DESC, scored - conceded DESC, id) ORDER BY cup_group";

const fn plan(
    name: &'static str,
    owner: &'static str,
    owner_id: &'static str,
    from: &'static str,
    columns: &'static [ColumnPlan],
) -> Plan {
    Plan {
        name,
        owner,
        owner_id,
        from,
        columns,
    }
}

/// What pages call the records of a table, beside their address.
pub const TITLES: [(&str, &str); 6] = [
    ("stadium", "SELECT id, name FROM stadium"),
    ("team", "SELECT id, name FROM team"),
    ("player", "SELECT id, first_name || ' ' || last_name FROM player"),
    ("coach", "SELECT id, first_name || ' ' || last_name FROM coach"),
    (
        "match",
        "SELECT match.id, home.name || ' - ' || away.name FROM match JOIN team home ON home.id = home_id JOIN team away ON away.id = away_id",
    ),
    ("article", "SELECT id, headline FROM article"),
];

/// What lists call records instead, whole and in parts.
pub const OTHER_TITLES: [(&str, &str); 9] = [
    ("player", "SELECT id, last_name FROM player"),
    ("player", "SELECT id, first_name FROM player"),
    ("coach", "SELECT id, last_name FROM coach"),
    ("coach", "SELECT id, first_name FROM coach"),
    ("player", "SELECT id, last_name || ', ' || first_name FROM player"),
    ("coach", "SELECT id, last_name || ', ' || first_name FROM coach"),
    ("stadium", "SELECT id, 'the ' || name || ' in ' || city FROM stadium"),
    ("stadium", "SELECT id, 'das ' || name || ' in ' || city FROM stadium"),
    ("match", "SELECT id, home_goals || ':' || away_goals FROM match"),
];
