//! Curves as SVG: panels side by side, a linear axis for the sizes and a logarithmic one for the values.

use std::fmt::Write;

pub struct Curve {
    pub name: String,
    /// Sizes and values, from left to right.
    pub points: Vec<(f64, f64)>,
    /// The last value is a lower bound.
    pub ends_open: bool,
}

pub struct Panel {
    pub title: String,
    /// What the sizes are.
    pub below: &'static str,
    pub curves: Vec<Curve>,
    /// A value to mark with a dashed line.
    pub limit: Option<f64>,
}

/// A colour that colour-blind readers can distinguish, and a mark that differs without colour, by the index of the
/// curve.
fn look(place: usize) -> (&'static str, Mark) {
    match place % 3 {
        0 => ("#0072b2", Mark::Circle),
        1 => ("#d55e00", Mark::Square),
        _ => ("#009e73", Mark::Triangle),
    }
}

/// A curve with more points than this is a line without marks.
const MOST_MARKS: usize = 40;

enum Mark {
    Circle,
    Square,
    Triangle,
}

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 320.0;
/// The part of a panel within its axes.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 326.0;
const TOP: f64 = 58.0;
const BOTTOM: f64 = 272.0;

pub fn svg(title: &str, panels: &[Panel]) -> String {
    let width = WIDTH * panels.len() as f64;
    let title = escaped(title);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" width=\"{width}\" \
         height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n\
         <title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"14\" font-weight=\"bold\">{title}</text>\n"
    );
    for (i, panel) in panels.iter().enumerate() {
        let axes = Axes::of(panel);
        text += &format!("<g transform=\"translate({} 0)\">\n", WIDTH * i as f64);
        text += &axes.svg(panel);
        panel.curves.iter().enumerate().for_each(|(place, curve)| text += &axes.curve(place, curve));
        text += &names(&panel.curves);
        text += "</g>\n";
    }
    text + "</svg>\n"
}

/// The ranges of the axes; the vertical one in powers of ten.
struct Axes {
    first: f64,
    last: f64,
    lowest: i32,
    highest: i32,
}

impl Axes {
    fn of(panel: &Panel) -> Axes {
        let points = || panel.curves.iter().flat_map(|curve| &curve.points);
        let values = || points().map(|p| p.1).filter(|v| *v > 0.0).chain(panel.limit);
        let first = points().map(|p| p.0).fold(f64::INFINITY, f64::min);
        let last = points().map(|p| p.0).fold(f64::NEG_INFINITY, f64::max);
        let (first, last) = if first < last { (first, last) } else { (0.0, 1.0) };
        let (least, most) = values().fold((1.0, 1.0), |(a, b): (f64, f64), v| (a.min(v), b.max(v)));
        let (lowest, highest) = (least.log10().floor() as i32, most.log10().ceil() as i32);
        Axes { first, last, lowest, highest: highest.max(lowest + 1) }
    }

    fn x(&self, size: f64) -> f64 {
        LEFT + (size - self.first) / (self.last - self.first) * (RIGHT - LEFT)
    }

    /// Zero, and values below the range, lie on the horizontal axis.
    fn y(&self, value: f64) -> f64 {
        let lowest = f64::from(self.lowest);
        let share = (value.max(1e-9).log10().max(lowest) - lowest) / f64::from(self.highest - self.lowest);
        BOTTOM - share * (BOTTOM - TOP)
    }

    fn svg(&self, panel: &Panel) -> String {
        let mut text = format!("<text x=\"{LEFT}\" y=\"44\">{}</text>\n", escaped(&panel.title));
        for power in self.lowest..=self.highest {
            let y = self.y(10f64.powi(power));
            let label = if power < 0 {
                format!("{:.*}", -power as usize, 10f64.powi(power))
            } else {
                thousands(power)
            };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "<path d=\"M{LEFT} {y:.1}H{RIGHT}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                LEFT - 6.0,
                y + 4.0
            );
        }
        let step = ((self.last - self.first) / 12.0).ceil().max(1.0);
        let step = if step > 2.0 { (step / 5.0).ceil() * 5.0 } else { step };
        let mut size = (self.first / step).ceil() * step;
        while size <= self.last {
            let x = self.x(size);
            let _ = writeln!(
                text,
                "<path d=\"M{x:.1} {BOTTOM}v4\" stroke=\"#222\"/>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{size}</text>",
                BOTTOM + 18.0
            );
            size += step;
        }
        let _ = writeln!(
            text,
            "<path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" fill=\"none\" stroke=\"#222\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            (LEFT + RIGHT) / 2.0,
            BOTTOM + 36.0,
            escaped(panel.below)
        );
        if let Some(limit) = panel.limit {
            let y = self.y(limit);
            let _ = writeln!(
                text,
                "<path d=\"M{LEFT} {y:.1}H{RIGHT}\" stroke=\"#888\" stroke-dasharray=\"4 3\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" fill=\"#666\">limit {limit} s</text>",
                LEFT + 6.0,
                y - 5.0
            );
        }
        text
    }

    fn curve(&self, place: usize, curve: &Curve) -> String {
        let places: Vec<(f64, f64)> = curve.points.iter().map(|(n, v)| (self.x(*n), self.y(*v))).collect();
        let line: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let mut text = format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
            line.join(" "),
            look(place).0
        );
        for (i, (x, y)) in places.iter().enumerate() {
            let is_last = i + 1 == places.len();
            if is_last || places.len() <= MOST_MARKS {
                text += &mark(place, *x, *y, curve.ends_open && is_last);
            }
        }
        text
    }
}

/// The legend, at the right.
fn names(curves: &[Curve]) -> String {
    let mut text = String::new();
    for (i, curve) in curves.iter().enumerate() {
        let y = TOP + 18.0 * i as f64;
        text += &mark(i, RIGHT + 16.0, y, false);
        let (x, y, colour) = (RIGHT + 26.0, y + 4.0, look(i).0);
        let name = escaped(&curve.name);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{name}</text>");
    }
    text
}

fn mark(place: usize, x: f64, y: f64, is_open: bool) -> String {
    let (colour, mark) = look(place);
    let fill = if is_open { "white" } else { colour };
    let shape = match mark {
        Mark::Circle => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\""),
        Mark::Square => format!("<rect x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\"", x - 3.5, y - 3.5),
        Mark::Triangle => format!("<path d=\"M{:.1} {:.1}l4.5 8h-9z\"", x, y - 5.0),
    };
    format!("{shape} fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A power of ten: `1`, `100`, `10k`, `1M`.
fn thousands(power: i32) -> String {
    let unit = ["", "k", "M", "G"].get(power as usize / 3).copied().unwrap_or("?");
    format!("{}{unit}", 10u32.pow(power as u32 % 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, points: Vec<(f64, f64)>, ends_open: bool) -> Curve {
        Curve { name: name.to_owned(), points, ends_open }
    }

    fn panel(curves: Vec<Curve>, limit: Option<f64>) -> Panel {
        Panel { title: "t".to_owned(), below: "n", curves, limit }
    }

    #[test]
    fn axes_span_all_values() {
        let axes = Axes::of(&panel(vec![curve("order", vec![(1.0, 0.06), (11.0, 300.0)], true)], Some(20.0)));
        assert_eq!((axes.lowest, axes.highest), (-2, 3));
        assert_eq!((axes.x(1.0), axes.x(11.0)), (LEFT, RIGHT));
        assert_eq!((axes.y(0.01), axes.y(1000.0), axes.y(0.0)), (BOTTOM, TOP, BOTTOM));
        assert!(axes.y(10.0) < axes.y(1.0));
    }

    #[test]
    fn every_curve_is_drawn_and_named() {
        let points = || vec![(1.0, 1.0), (2.0, 10.0)];
        let curves = vec![curve("order", points(), false), curve("<clocks>", points(), true)];
        let text = svg("title", &[panel(curves, None)]);
        assert_eq!(text.matches("<polyline").count(), 2);
        assert_eq!(text.matches("<circle").count(), 3, "two points and the legend");
        assert_eq!(text.matches("fill=\"white\" stroke").count(), 1, "the open end");
        assert!(text.contains(">order</text>") && text.contains(">&lt;clocks&gt;</text>"));
    }

    #[test]
    fn many_points_are_a_line() {
        let points = (0..100).map(|i| (f64::from(i), 1.0)).collect();
        let text = svg("title", &[panel(vec![curve("order", points, false)], None)]);
        assert_eq!(text.matches("<circle").count(), 2, "the last point and the legend");
    }

    #[test]
    fn nothing_to_draw_is_no_problem() {
        assert!(svg("t", &[panel(Vec::new(), None)]).contains("</svg>"));
    }

    #[test]
    fn powers_of_ten() {
        assert_eq!([0, 2, 3, 4, 6].map(thousands), ["1", "100", "1k", "10k", "1M"]);
    }
}
