-- Teams and coaches refer to each other, so these keys are checked at the end of the transaction.
CREATE TABLE stadium (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, capacity INTEGER NOT NULL, opened INTEGER NOT NULL,
  surface TEXT NOT NULL, pitch_length_m REAL NOT NULL, pitch_width_m REAL NOT NULL, architect TEXT
);
CREATE TABLE team (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, city TEXT NOT NULL, founded INTEGER NOT NULL, colours TEXT NOT NULL,
  cup_group INTEGER NOT NULL, stadium_id INTEGER NOT NULL REFERENCES stadium,
  coach_id INTEGER NOT NULL REFERENCES coach DEFERRABLE INITIALLY DEFERRED, budget INTEGER, budget_currency TEXT
);
CREATE TABLE player (
  id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, nickname TEXT, position TEXT NOT NULL,
  team_id INTEGER REFERENCES team, shirt INTEGER NOT NULL, born DATE, birthplace TEXT NOT NULL, nationality TEXT NOT NULL,
  height_cm INTEGER, weight_kg INTEGER NOT NULL, foot TEXT NOT NULL,
  transfer_fee INTEGER, transfer_currency TEXT, transfer_year INTEGER, transfer_from_id INTEGER REFERENCES team, biography TEXT
);
CREATE TABLE season (
  player_id INTEGER NOT NULL REFERENCES player, year INTEGER NOT NULL, team_id INTEGER NOT NULL REFERENCES team,
  appearances INTEGER NOT NULL, goals INTEGER NOT NULL, PRIMARY KEY (player_id, year)
);
CREATE TABLE coach (
  id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, nickname TEXT, role TEXT NOT NULL,
  team_id INTEGER REFERENCES team, born DATE, birthplace TEXT NOT NULL, nationality TEXT NOT NULL, biography TEXT
);
CREATE TABLE coach_season (
  coach_id INTEGER NOT NULL REFERENCES coach, year INTEGER NOT NULL, team_id INTEGER NOT NULL REFERENCES team,
  appearances INTEGER NOT NULL, goals INTEGER NOT NULL, PRIMARY KEY (coach_id, year)
);
CREATE TABLE match (
  id INTEGER PRIMARY KEY, cup_group INTEGER NOT NULL, round INTEGER NOT NULL, date DATE NOT NULL, kick_off TIME NOT NULL,
  home_id INTEGER NOT NULL REFERENCES team, away_id INTEGER NOT NULL REFERENCES team,
  home_goals INTEGER NOT NULL, away_goals INTEGER NOT NULL,
  stadium_id INTEGER NOT NULL REFERENCES stadium, referee TEXT NOT NULL, attendance INTEGER
);
CREATE TABLE goal (
  id INTEGER PRIMARY KEY, match_id INTEGER NOT NULL REFERENCES match, team_id INTEGER NOT NULL REFERENCES team,
  player_id INTEGER NOT NULL REFERENCES player, minute INTEGER NOT NULL, penalty BOOLEAN NOT NULL, own_goal BOOLEAN NOT NULL
);
CREATE TABLE lineup (
  match_id INTEGER NOT NULL REFERENCES match, team_id INTEGER NOT NULL REFERENCES team,
  player_id INTEGER NOT NULL REFERENCES player, PRIMARY KEY (match_id, player_id)
);
CREATE TABLE article (
  id INTEGER PRIMARY KEY, headline TEXT NOT NULL, date DATE NOT NULL, author TEXT, match_id INTEGER REFERENCES match
);
CREATE TABLE article_paragraph (
  article_id INTEGER NOT NULL REFERENCES article, number INTEGER NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (article_id, number)
);
CREATE TABLE article_player (
  article_id INTEGER NOT NULL REFERENCES article, player_id INTEGER NOT NULL REFERENCES player,
  PRIMARY KEY (article_id, player_id)
);
CREATE TABLE article_team (
  article_id INTEGER NOT NULL REFERENCES article, team_id INTEGER NOT NULL REFERENCES team,
  PRIMARY KEY (article_id, team_id)
);
-- What the wild skin alone shows; empty in the others.
CREATE TABLE player_prose (
  player_id INTEGER PRIMARY KEY REFERENCES player, style TEXT, trivia TEXT
);
CREATE TABLE term (
  word TEXT PRIMARY KEY, meaning TEXT NOT NULL
);
CREATE TABLE page (
  url TEXT PRIMARY KEY, class TEXT NOT NULL, entity_id INTEGER, entity_table TEXT
);
