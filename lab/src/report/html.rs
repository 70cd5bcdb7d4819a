//! The report as one page that needs no network: the text's figures, and what is better seen than read.
//!
//! Bars, a fan and a map of the board are rectangles and a few words: drawn here as SVG, for a plotting library would bring a
//! tree of crates, a raster back end or a script engine for the same rectangles, and none of them writes titles and
//! descriptions for screen readers. Colours differ in lightness, so that the page can be printed.

use super::Report;
use crate::luck::FAN;
use std::fmt::{Result, Write};

/// The most bars of a histogram.
const BARS: u64 = 40;

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}\
svg{width:100%;height:auto}pre{overflow-x:auto;font-size:.85rem}figure{margin:1.5rem 0}\
@media print{body{margin:0;max-width:none}figure{break-inside:avoid}}";

impl Report<'_> {
    /// The report as a page.
    pub fn html(&self) -> String {
        let mut out = String::new();
        // Memory can always be written.
        let _ = self.write_page(&mut out);
        out
    }

    fn write_page(&self, out: &mut String) -> Result {
        let title = escaped(&format!("{}: {} games", self.experiment.loaded().title, self.tally.games));
        writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
        writeln!(out, "<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>")?;
        self.write_bars(out)?;
        self.write_histogram(out)?;
        self.write_fan(out)?;
        let maps = [
            ("Where pieces go", "How often a piece has come to each square", &self.tally.arrivals),
            ("Where pieces are taken", "How often a piece has been taken on each square", &self.tally.taken),
        ];
        for (title, about, counts) in maps {
            self.write_map(title, about, counts, out)?;
        }
        writeln!(out, "<h2>All figures</h2>\n<pre>{}</pre>\n</main>\n</body>\n</html>", escaped(&self.text()))
    }

    /// A bar for each result, with its interval as a line.
    fn write_bars(&self, out: &mut String) -> Result {
        let figures = self.figures();
        let results: Vec<_> = figures.iter().filter(|figure| figure.key.starts_with("results.")).collect();
        let height = results.len() * 26 + 6;
        let said: Vec<String> =
            results.iter().map(|figure| format!("{} {:.1} %", figure.name, figure.estimate.value * 100.0)).collect();
        open(out, "Results", &format!("{}. Lines are 95 % intervals.", said.join(", ")), 600, height)?;
        for (row, figure) in results.iter().enumerate() {
            let (top, scale) = (row * 26 + 6, 400.0);
            let (low, high) = (150.0 + figure.interval.0 * scale, 150.0 + figure.interval.1 * scale);
            let (line, middle, name) = (top + 13, top + 9, escaped(&figure.name));
            let (width, percent) = (figure.estimate.value * scale, figure.estimate.value * 100.0);
            writeln!(
                out,
                "<text x=\"144\" y=\"{line}\" text-anchor=\"end\">{name}</text><rect x=\"150\" y=\"{top}\" \
                 width=\"{width:.1}\" height=\"18\" fill=\"#7aa7d9\"/><path d=\"M{low:.1} {middle}H{high:.1}\" \
                 stroke=\"#111\" stroke-width=\"2\"/><text x=\"{:.1}\" y=\"{line}\">{percent:.1} %</text>",
                high + 6.0
            )?;
        }
        close(out)
    }

    /// The histogram of turns.
    fn write_histogram(&self, out: &mut String) -> Result {
        let histogram = &self.tally.turn_numbers;
        let (Some(most), Some(median)) = (histogram.quantile(0.995), histogram.quantile(0.5)) else { return Ok(()) };
        let step = most / BARS + 1;
        let mut bars = vec![0_u64; (most / step + 1) as usize];
        for (turns, games) in histogram.pairs().filter(|(turns, _)| *turns <= most) {
            bars[(turns / step) as usize] += games;
        }
        let highest = bars.iter().copied().max().unwrap_or(1).max(1) as f64;
        let about = format!(
            "Games by their number of turns, in steps of {step}: median {median}, 5 % at most {}, 95 % at most {}.",
            histogram.quantile(0.05).unwrap_or(0),
            histogram.quantile(0.95).unwrap_or(0)
        );
        open(out, "Length in turns", &about, 600, 190)?;
        let width = 580.0 / bars.len() as f64;
        for (index, &games) in bars.iter().enumerate() {
            let (left, height) = (10.0 + index as f64 * width, games as f64 / highest * 150.0);
            let (x, y, w) = (left, 160.0 - height, (width - 1.0).max(0.5));
            writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{height:.1}\" fill=\"#7aa7d9\"/>"
            )?;
        }
        writeln!(
            out,
            "<text x=\"10\" y=\"178\">0</text><text x=\"590\" y=\"178\" text-anchor=\"end\">{most} turns</text>"
        )?;
        close(out)
    }

    /// How the first player's winning chance has gone: half and nine tenths of all games.
    fn write_fan(&self, out: &mut String) -> Result {
        let fan = &self.tally.fortune.fan;
        if fan.is_empty() || self.tally.fortune.games() == 0 {
            return Ok(());
        }
        let quantile = |chances: &[u64], share: f64| {
            let wanted = (chances.iter().sum::<u64>() as f64 * share).max(1.0);
            let mut passed = 0;
            let reached = |count: &u64| {
                passed += count;
                passed as f64 >= wanted
            };
            chances.iter().position(reached).unwrap_or(0) as f64 / FAN.0 as f64
        };
        let first = escaped(self.experiment.side_name(0));
        let about = format!(
            "{first}'s winning chance from the start to the end of games: nine tenths of all games lie in the light band, half \
             of them in the dark one."
        );
        open(out, "How games go", &about, 600, 220)?;
        for (low, high, colour) in [(0.05, 0.95, "#d3e2f2"), (0.25, 0.75, "#7aa7d9")] {
            let place = |tenth: usize, share: f64| {
                let x = 50.0 + tenth as f64 / (FAN.1 - 1) as f64 * 540.0;
                format!("{x:.1},{:.1}", 10.0 + (1.0 - quantile(&fan[tenth], share)) * 180.0)
            };
            let up = (0..FAN.1).map(|tenth| place(tenth, high));
            let back = (0..FAN.1).rev().map(|tenth| place(tenth, low));
            let points: Vec<String> = up.chain(back).collect();
            writeln!(out, "<polygon points=\"{}\" fill=\"{colour}\"/>", points.join(" "))?;
        }
        for (y, text) in [(14, "100 %"), (104, "50 %"), (194, "0 %")] {
            writeln!(out, "<text x=\"44\" y=\"{y}\" text-anchor=\"end\">{text}</text>")?;
        }
        writeln!(out, "<text x=\"50\" y=\"212\">start</text><text x=\"590\" y=\"212\" text-anchor=\"end\">end</text>")?;
        close(out)
    }

    /// The board, each square as dark as its count is great.
    fn write_map(&self, title: &str, about: &str, counts: &[u64], out: &mut String) -> Result {
        let board = self.experiment.loaded().set.variant.board();
        let most = counts.iter().copied().max().unwrap_or(0);
        if most == 0 || board.squares().into_iter().count() > 256 {
            return Ok(());
        }
        let all: u64 = counts.iter().sum();
        let busiest = board.squares().into_iter().max_by_key(|square| counts.get(square.index()).copied().unwrap_or(0));
        let name = busiest.map_or(String::new(), |square| board.name(square));
        let (width, height) = (usize::from(board.width()), usize::from(board.height()));
        let about = format!("{about}; most often {name}, {:.1} % of all.", most as f64 * 100.0 / all as f64);
        open(out, title, &about, width * 36, height * 36)?;
        for square in board.squares() {
            let count = counts.get(square.index()).copied().unwrap_or(0);
            let (x, y) = (usize::from(board.file(square)) * 36, (height - 1 - usize::from(board.rank(square))) * 36);
            let share = count as f64 / most as f64;
            let light = 255 - (share * 190.0) as u8;
            let ink = if share > 0.6 { "#fff" } else { "#111" };
            let name = escaped(&board.name(square));
            writeln!(
                out,
                "<g><title>{name}: {count}</title><rect x=\"{x}\" y=\"{y}\" width=\"35\" height=\"35\" \
                 fill=\"rgb({light},{light},255)\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"9\" \
                 fill=\"{ink}\">{:.1}</text></g>",
                x + 18,
                y + 21,
                count as f64 * 100.0 / all as f64
            )?;
        }
        close(out)
    }
}

/// Begins a picture with a title and a description, which also stands below it.
fn open(out: &mut String, title: &str, about: &str, width: usize, height: usize) -> Result {
    let (title, about) = (escaped(title), escaped(about));
    writeln!(
        out,
        "<figure>\n<h2>{title}</h2>\n<figcaption>{about}</figcaption>\n<svg viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"12\" style=\"max-width:{width}px\">\n<title>{title}</title>\n<desc>{about}</desc>"
    )
}

fn close(out: &mut String) -> Result {
    writeln!(out, "</svg>\n</figure>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
