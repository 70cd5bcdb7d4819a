//! The report as one page that works offline: the figures of the text report, and charts.
//!
//! Bars, a fan and a map of the board are rectangles and a few words, drawn here as SVG. A plotting library would add a
//! tree of crates, a raster back end or a script engine for the same rectangles, and none of them writes titles and
//! descriptions for screen readers. Colors differ in lightness, so that the page can be printed.

use super::Report;
use super::sections::{Section, WARNING, counted};
use crate::luck::{FAN, SCATTER};
use std::fmt::{Result, Write};

/// The maximum number of bars of a histogram.
const BARS: u64 = 40;

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:56rem;margin:2rem auto;padding:0 \
     1rem;color:#111;background:#fff}svg{width:100%;height:auto}figure{margin:1.5rem \
     0}figcaption{margin-bottom:.5rem}.table{overflow-x:auto}table{border-collapse:collapse;margin:1rem \
     0}caption{text-align:left;font-weight:bold;padding:.3rem 0}th,td{padding:.15rem \
     .6rem;text-align:right;border-bottom:1px solid \
     #bbb;font-variant-numeric:tabular-nums}th[scope=row],.text{text-align:left;font-weight:normal}@media \
     print{body{margin:0;max-width:none}figure,tr{break-inside:avoid}h2,caption{break-after:avoid}.table{overflow:visible;break-inside:avoid}}";

impl Report<'_> {
    /// The report as a page.
    pub fn html(&self) -> String {
        let mut out = String::new();
        // Writing to memory does not fail.
        let _ = self.write_page(&mut out);
        out
    }

    fn write_page(&self, out: &mut String) -> Result {
        let title = escaped(&format!("{}: {}", self.experiment.loaded().title, self.games_text()));
        writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
        writeln!(out, "<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>")?;
        writeln!(out, "<p>{}</p>", escaped(&self.headline()))?;
        if let Some(position) = &self.experiment.setting().position {
            writeln!(out, "<p>From {}</p>", escaped(position))?;
        }
        writeln!(out, "<p>{}</p>", escaped(&self.resolution_text()))?;
        self.write_bars(out)?;
        self.write_histogram(out)?;
        self.write_fan(out)?;
        self.write_scatter(out)?;
        let maps = [
            ("Where pieces go", "How often a piece moved to each square", &self.tally.arrivals),
            ("Where pieces are captured", "How often a piece was captured on each square", &self.tally.taken),
        ];
        for (title, about, counts) in maps {
            self.write_map(title, about, counts, out)?;
        }
        writeln!(out, "<h2>All figures</h2>")?;
        self.sections().iter().try_for_each(|section| write_table(section, out))?;
        let digest = self.tally.digest_text();
        writeln!(out, "<p>{WARNING}</p>\n<p>Digest of all games: {digest}.</p>\n</main>\n</body>\n</html>")
    }

    /// A bar for each result, with its interval as a line.
    fn write_bars(&self, out: &mut String) -> Result {
        let figures = self.figures();
        let results: Vec<_> = figures.iter().filter(|figure| figure.key.starts_with("results.")).collect();
        let height = results.len() * 26 + 6;
        let said: Vec<String> =
            results.iter().map(|figure| format!("{} {:.1}%", figure.name, figure.estimate.value * 100.0)).collect();
        open(out, "Results", &format!("{}. Lines show 95% confidence intervals.", said.join(", ")), 600, height)?;
        for (row, figure) in results.iter().enumerate() {
            let (top, scale) = (row * 26 + 6, 400.0);
            let (low, high) = figure.interval.unwrap_or((0.0, 1.0));
            let (low, high) = (150.0 + low * scale, 150.0 + high * scale);
            let (line, middle, name) = (top + 13, top + 9, escaped(&figure.name));
            let (width, percent) = (figure.estimate.value * scale, figure.estimate.value * 100.0);
            writeln!(
                out,
                "<text x=\"144\" y=\"{line}\" text-anchor=\"end\">{name}</text><rect x=\"150\" y=\"{top}\" \
                 width=\"{width:.1}\" height=\"18\" fill=\"#7aa7d9\"/><path d=\"M{low:.1} {middle}H{high:.1}\" \
                 stroke=\"#111\" stroke-width=\"2\"/><text x=\"{:.1}\" y=\"{line}\">{percent:.1}%</text>",
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
            "Games by number of turns, in steps of {step}. The median is {median}; 5% of games have at most {} \
             turns, 95% at most {}.",
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

    /// The course of the first player's winning chance: bands with half and nine tenths of all games.
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
        let first = self.experiment.side_name(0);
        let about = format!(
            "{first}'s winning chance from start to end: the light band contains 90% of all games, the dark band 50%."
        );
        open(out, "Winning chance over time", &about, 600, 220)?;
        for (low, high, color) in [(0.05, 0.95, "#d3e2f2"), (0.25, 0.75, "#7aa7d9")] {
            let place = |tenth: usize, share: f64| {
                let x = 50.0 + tenth as f64 / (FAN.1 - 1) as f64 * 540.0;
                format!("{x:.1},{:.1}", 10.0 + (1.0 - quantile(&fan[tenth], share)) * 180.0)
            };
            let up = (0..FAN.1).map(|tenth| place(tenth, high));
            let back = (0..FAN.1).rev().map(|tenth| place(tenth, low));
            let points: Vec<String> = up.chain(back).collect();
            writeln!(out, "<polygon points=\"{}\" fill=\"{color}\"/>", points.join(" "))?;
        }
        for (y, text) in [(14, "100%"), (104, "50%"), (194, "0%")] {
            writeln!(out, "<text x=\"44\" y=\"{y}\" text-anchor=\"end\">{text}</text>")?;
        }
        writeln!(out, "<text x=\"50\" y=\"212\">start</text><text x=\"590\" y=\"212\" text-anchor=\"end\">end</text>")?;
        close(out)
    }

    /// Luck and skill: a disc for each pair of values, sized by frequency.
    fn write_scatter(&self, out: &mut String) -> Result {
        let fortune = &self.tally.fortune;
        let most = fortune.scatter.iter().flatten().copied().max().unwrap_or(0);
        let Some(share) = fortune.share().filter(|_| most > 0) else { return Ok(()) };
        let first = self.experiment.side_name(0);
        let about = format!(
            "Change in {first}'s winning chance per game due to rolls (horizontal) and decisions (vertical); \
             larger disks mean more games. Rolls explain {:.0}% of the variance of results.",
            share.value * 100.0
        );
        open(out, "Luck and skill", &about, 440, 430)?;
        writeln!(
            out,
            "<path d=\"M50 200H410M230 20V380\" stroke=\"#999\"/><rect x=\"50\" y=\"20\" width=\"360\" height=\"360\" \
             fill=\"none\" stroke=\"#999\"/>"
        )?;
        let place = |cell: usize| cell as f64 / (SCATTER - 1) as f64 * 360.0;
        for (luck, row) in fortune.scatter.iter().enumerate() {
            for (skill, &games) in row.iter().enumerate().filter(|(_, games)| **games > 0) {
                let (x, y) = (50.0 + place(luck), 380.0 - place(skill));
                let radius = 9.0 * (games as f64 / most as f64).sqrt();
                writeln!(
                    out,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"#7aa7d9\" stroke=\"#246\"><title>{}</title>\
                     </circle>",
                    radius.max(1.0),
                    counted(games, "game")
                )?;
            }
        }
        for (x, y, anchor, text) in [
            (50, 398, "start", "unlucky"),
            (410, 398, "end", "lucky"),
            (38, 24, "end", "skill"),
            (38, 384, "end", "errors"),
            (230, 416, "middle", "change due to rolls"),
        ] {
            writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>")?;
        }
        close(out)
    }

    /// The board, each square shaded by its count.
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
        let about = format!("{about}; most often {name}, {:.1}% of all.", most as f64 * 100.0 / all as f64);
        open(out, title, &about, width * 36, height * 36)?;
        for square in board.squares() {
            let count = counts.get(square.index()).copied().unwrap_or(0);
            let (x, y) = (usize::from(board.file(square)) * 36, (height - 1 - usize::from(board.rank(square))) * 36);
            let share = count as f64 / most as f64;
            let light = 255 - (share * 190.0) as u8;
            // Both are readable there: the contrast is at least 4.5.
            let ink = if share > 0.83 { "#fff" } else { "#000" };
            let name = escaped(&board.name(square));
            writeln!(
                out,
                "<g><title>{name}: {count}</title><rect x=\"{x}\" y=\"{y}\" width=\"35\" height=\"35\" \
                 fill=\"rgb({light},{light},255)\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"9\" \
                 fill=\"{ink}\">{:.1}</text><text x=\"{}\" y=\"{}\" font-size=\"7\" fill=\"{ink}\">{name}</text></g>",
                x + 18,
                y + 23,
                count as f64 * 100.0 / all as f64,
                x + 2,
                y + 8
            )?;
        }
        close(out)
    }
}

/// A table with column and row titles, for screen readers, too.
fn write_table(section: &Section, out: &mut String) -> Result {
    writeln!(out, "<div class=\"table\">\n<table>\n<caption>{}</caption>", escaped(&section.title))?;
    let class = |column: usize| if section.columns[column].ends_with(' ') { " class=\"text\"" } else { "" };
    write!(out, "<thead><tr><td></td>")?;
    for (column, title) in section.columns.iter().enumerate() {
        write!(out, "<th scope=\"col\"{}>{}</th>", class(column), escaped(title.trim_end()))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for row in &section.rows {
        let Some((name, cells)) = row.split_first() else { continue };
        write!(out, "<tr><th scope=\"row\">{}</th>", escaped(name))?;
        for column in 0..section.columns.len() {
            let cell = cells.get(column).map_or("", String::as_str);
            write!(out, "<td{}>{}</td>", class(column), escaped(cell))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table>\n</div>")?;
    section.remarks.iter().try_for_each(|remark| writeln!(out, "<p>{}</p>", escaped(remark)))
}

/// Begins a picture with a title and a description, which also appears below it.
fn open(out: &mut String, title: &str, about: &str, width: usize, height: usize) -> Result {
    let (title, about) = (escaped(title), escaped(about));
    writeln!(
        out,
        "<figure>\n<h2>{title}</h2>\n<figcaption>{about}</figcaption>\n<svg viewBox=\"0 0 {width} {height}\" \
         role=\"img\" font-family=\"sans-serif\" font-size=\"12\" \
         style=\"max-width:{width}px\">\n<title>{title}</title>\n<desc>{about}</desc>"
    )
}

fn close(out: &mut String) -> Result {
    writeln!(out, "</svg>\n</figure>")
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
