//! A cactus plot: the right answers, fastest first, and how long each took. The lower and the further to the right, the
//! better. In the terminal with dots of braille, eight to a character.

use crate::plot::{Curve, Panel};
use crate::row::Row;
use std::collections::BTreeMap;

/// Characters within the axes, and dots in a character.
const WIDTH: usize = 60;
const HEIGHT: usize = 12;
const ACROSS: usize = 2;
const DOWN: usize = 4;

/// Shorter times, in seconds, count as this one: a logarithmic axis has no zero.
const LEAST: f64 = 0.01;

/// The processor times of the right answers, sorted.
pub fn times(rows: &[Row]) -> Vec<f64> {
    let mut times: Vec<f64> = rows.iter().filter(|r| r.kind().is_right()).map(|r| r.took.cpu).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// The times as a curve in the terminal; empty if there are none.
pub fn text(times: &[f64]) -> String {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return String::new() };
    let lowest = first.max(LEAST).log10().floor() as i32;
    let highest = (last.max(LEAST).log10().ceil() as i32).max(lowest + 1);
    let dots = Dots::of(times, lowest, highest);
    let rows = (HEIGHT * DOWN - 1) as f64;
    let labels: BTreeMap<usize, String> = (lowest..=highest)
        .map(|power| {
            let share = f64::from(highest - power) / f64::from(highest - lowest);
            let label = format!("{:.*} s", (-power).max(0) as usize, 10f64.powi(power));
            ((share * rows) as usize / DOWN, label)
        })
        .collect();
    let mut text = String::new();
    for y in 0..HEIGHT {
        let (label, axis) = labels.get(&y).map_or(("", '│'), |label| (label.as_str(), '┤'));
        let line: String = (0..WIDTH).map(|x| dots.character(x, y)).collect();
        text += &format!("{label:>9} {axis}{}\n", line.trim_end_matches('\u{2800}'));
    }
    text += &format!("{:>9} └{}\n", "", "─".repeat(WIDTH));
    text + &format!("{:>11}1{:>width$} right answers\n", "", times.len(), width = WIDTH - 1)
}

struct Dots {
    /// Bits as in the characters of braille.
    cells: Vec<u8>,
}

impl Dots {
    fn of(times: &[f64], lowest: i32, highest: i32) -> Dots {
        let mut dots = Dots { cells: vec![0; WIDTH * HEIGHT] };
        let (columns, rows) = (WIDTH * ACROSS, HEIGHT * DOWN);
        let mut before = None;
        for x in 0..columns {
            let time = times.get(x * times.len() / columns).copied().unwrap_or(LEAST).max(LEAST);
            let share = (time.log10() - f64::from(lowest)) / f64::from(highest - lowest);
            let y = ((1.0 - share) * (rows - 1) as f64).round() as usize;
            // A step is a line from one height to the next.
            let from = before.replace(y).unwrap_or(y);
            (from.min(y)..=from.max(y)).for_each(|y| dots.set(x, y.min(rows - 1)));
        }
        dots
    }

    fn set(&mut self, x: usize, y: usize) {
        const BITS: [[u8; ACROSS]; DOWN] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        if let Some(cell) = self.cells.get_mut(y / DOWN * WIDTH + x / ACROSS) {
            *cell |= BITS[y % DOWN][x % ACROSS];
        }
    }

    fn character(&self, x: usize, y: usize) -> char {
        let bits = self.cells.get(y * WIDTH + x).copied().unwrap_or(0);
        char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' ')
    }
}

/// The same for several runs, as SVG.
pub fn svg(title: &str, runs: &[(String, Vec<f64>)], limit: f64) -> String {
    let curve = |(name, times): &(String, Vec<f64>)| Curve {
        name: name.clone(),
        points: times.iter().enumerate().map(|(i, time)| ((i + 1) as f64, time.max(LEAST))).collect(),
        ends_open: false,
    };
    let panel = Panel {
        title: "processor seconds of each right answer, fastest first".to_owned(),
        below: "right answers",
        curves: runs.iter().map(curve).collect(),
        limit: Some(limit),
    };
    crate::plot::svg(title, &[panel])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_rises_from_left_to_right() {
        let times: Vec<f64> = (0..200).map(|i| 0.02 * 1.04f64.powi(i)).collect();
        let text = text(&times);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), HEIGHT + 2);
        let starts = |line: &str| line.chars().skip(11).position(|c| c != '\u{2800}');
        let first = |i: usize| lines.get(i).and_then(|line| starts(line));
        assert!(first(1) > first(5) && first(5) > first(10) && first(10) == Some(0), "{text}");
        assert!(lines[0].contains("100 s ┤") && lines[11].contains("0.01 s ┤"), "{text}");
        assert!(lines[13].starts_with("           1 ") && lines[13].ends_with("200 right answers"), "{text}");
        assert!(lines[..13].iter().all(|line| line.chars().count() <= 11 + WIDTH), "{text}");
    }

    #[test]
    fn few_times_are_steps() {
        assert_eq!(text(&[]), "");
        let one = text(&[0.5]);
        assert_eq!(
            one.lines()
                .filter(|line| line.contains("⠤")
                    || line.contains("⠒")
                    || line.contains("⠉")
                    || line.contains("⣀"))
                .count(),
            1,
            "{one}"
        );
        assert!(text(&[0.0, 1000.0]).contains("1000 s"));
    }

    #[test]
    fn each_run_is_a_curve() {
        let runs = [("now & here".to_owned(), vec![0.1, 1.0]), ("before".to_owned(), vec![0.2])];
        let text = svg("title", &runs, 20.0);
        assert_eq!(text.matches("<polyline").count(), 2);
        assert!(text.contains(">now &amp; here</text>"));
    }
}
