//! Records at the prompt: continues the game of a record, and adds players and date to new records.

use super::session::Session;
use super::{Setup, files};
use astragal_dsl::record::PLAYER_TAGS;
use astragal_service::variant_cache::VariantCache;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

impl Session {
    /// Continues the only game of a record; the text is the greeting.
    ///
    /// # Errors
    /// If the file cannot be read, the rules do not allow its game, or there are several.
    pub(super) fn of_record(setup: &Setup, file: &Path) -> Result<(Session, String), String> {
        let mut cache = VariantCache::new();
        let (record, name) = files::load(&mut cache, file, None)?;
        let told = files::told(file, &name);
        let mut session = Session::playing(setup, cache, Arc::new(record.loaded), name, record.game);
        session.file = Some(file.to_path_buf()).filter(|_| record.ours);
        session.seat(&setup.computers, setup.time)?;
        session.begin_lines(record.variations);
        let greeting = session.greeting(&told);
        let greeting = session.and_computers(Ok(greeting))?;
        Ok((session, greeting))
    }

    /// The tags of a record besides the game: the computers by the names that `match` uses, and the day, in UTC, on which a
    /// game of this session began.
    pub(super) fn record_tags(&self) -> Vec<(String, String)> {
        let day = self.begun.map(|begun| ("Date".into(), date(begun)));
        let players = PLAYER_TAGS.iter().enumerate().take(self.loaded.set.variant.sides());
        let players = players.filter_map(|(side, tag)| Some(((*tag).into(), self.player_name(side)?)));
        day.into_iter().chain(players).collect()
    }
}

/// The day of a time in the format of records, in UTC: `2026.02.28`.
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    // Years start in March, so that the leap day is the last day of its year; all eras of 400 years have the same length.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    format!("{:04}.{month:02}.{day:02}", era * 400 + year + u64::from(month < 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Seconds since 1970 with the output of `date -u`.
    #[test]
    fn days_of_the_calendar() {
        for (seconds, day) in [
            (0, "1970.01.01"),
            (951_782_399, "2000.02.28"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (1_709_164_800, "2024.02.29"),
            (1_767_225_599, "2025.12.31"),
            (1_767_225_600, "2026.01.01"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(seconds)), day, "{seconds}");
        }
    }
}
