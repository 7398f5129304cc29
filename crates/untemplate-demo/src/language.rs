//! The languages of a site that has two: what its templates say, and the words that its values come
//! from.
//!
//! Names, prose of the database and numbers are the same in both.

/// A language of the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// What every other skin speaks.
    #[default]
    English,
    /// The second language of the wild skin.
    German,
}

impl Language {
    /// The value of the attribute `lang`.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// The text in this language; what has no translation stays as it is.
    pub fn say(self, text: &str) -> &str {
        match self {
            Self::English => text,
            Self::German => GERMAN
                .iter()
                .find(|(english, _)| *english == text)
                .map_or(text, |(_, german)| german),
        }
    }
}

const GERMAN: [(&str, &str); 83] = [
    ("none", "keine"),
    // The menu and what stands around a page.
    ("Players", "Spieler"),
    ("Teams", "Vereine"),
    ("Groups", "Gruppen"),
    ("Matches", "Begegnungen"),
    ("Stadiums", "Stadien"),
    ("Coaches", "Trainer"),
    ("News", "Nachrichten"),
    ("Search", "Suche"),
    ("Find a player", "Spieler finden"),
    ("Calendar", "Kalender"),
    ("Glossary", "Glossar"),
    ("Related news", "Mehr dazu"),
    ("Previous", "Zurück"),
    ("Next", "Weiter"),
    ("Up", "Nach oben"),
    ("You are here", "Sie sind hier"),
    ("Page generated for visitor no.", "Seite erstellt für Besucher Nr."),
    // Labels and headings.
    ("Position", "Aufgabe"),
    ("Club", "Verein"),
    ("Shirt number", "Rückennummer"),
    ("Nickname", "Spitzname"),
    ("Date of birth", "Geburtsdatum"),
    ("Place of birth", "Geburtsort"),
    ("Nationality", "Nationalität"),
    ("Height", "Größe"),
    ("Weight", "Gewicht"),
    ("Preferred foot", "Starker Fuß"),
    ("Last transfer", "Letzter Wechsel"),
    ("Fee", "Ablöse"),
    ("Year", "Jahr"),
    ("From", "Von"),
    ("Career", "Laufbahn"),
    ("Games", "Spiele"),
    ("Goals", "Tore"),
    ("Biography", "Lebenslauf"),
    ("Style of play", "Spielweise"),
    ("Trivia", "Am Rande"),
    ("City", "Stadt"),
    ("Founded", "Gegründet"),
    ("Colours", "Farben"),
    ("Stadium", "Stadion"),
    ("Cup group", "Gruppe im Pokal"),
    ("Budget", "Etat"),
    ("Squad", "Kader"),
    ("No.", "Nr."),
    ("Player", "Name"),
    ("Date", "Datum"),
    ("Result", "Ergebnis"),
    ("Home", "Heim"),
    ("Away", "Gast"),
    ("Kick-off", "Anstoß"),
    ("Round", "Runde"),
    ("Referee", "Schiedsrichter"),
    ("Attendance", "Zuschauer"),
    ("Line-ups", "Aufstellungen"),
    ("Capacity", "Plätze"),
    ("Opened", "Eröffnet"),
    ("Surface", "Belag"),
    ("Pitch length", "Länge des Feldes"),
    ("Pitch width", "Breite des Feldes"),
    ("Architect", "Architekt"),
    ("At home here", "Hier zu Hause"),
    ("Matches played", "Spiele an diesem Ort"),
    ("Published", "Veröffentlicht"),
    ("Author", "Verfasser"),
    ("In this story", "In diesem Bericht"),
    ("Standings", "Tabelle"),
    ("Rank", "Platz"),
    // Words that values come from.
    ("Goalkeeper", "Torwart"),
    ("Defender", "Verteidiger"),
    ("Midfielder", "Mittelfeldspieler"),
    ("Forward", "Stürmer"),
    ("Head coach", "Cheftrainer"),
    ("Assistant coach", "Assistenztrainer"),
    ("penalty", "Elfmeter"),
    ("own goal", "Eigentor"),
    ("left", "links"),
    ("right", "rechts"),
    ("both", "beide"),
    ("grass", "Rasen"),
    ("hybrid grass", "Hybridrasen"),
    ("artificial turf", "Kunstrasen"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_translation_and_no_two_texts_share_it() {
        for (index, (english, german)) in GERMAN.iter().enumerate() {
            let others = GERMAN.iter().skip(index + 1);
            for (other, also) in others {
                assert!(english != other && german != also, "{english}, {other}");
            }
        }
        assert_eq!(Language::German.say("Height"), "Größe");
        assert_eq!(Language::German.say("Velmora"), "Velmora");
        assert_eq!(Language::English.say("Height"), "Height");
    }
}
