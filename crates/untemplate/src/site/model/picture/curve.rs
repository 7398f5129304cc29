//! The curve of a model: description length and classes, against pages visited.

use super::super::site_model::{CurvePoint, SiteModel};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 160.0;
const LEFT: f64 = 40.0;
const TOP: f64 = 12.0;

/// The curve as a figure; nothing where the model has none.
pub fn draw_curve(model: &SiteModel) -> String {
    let Some(last) = model.curve.last() else {
        return String::new();
    };
    let pages_max = last.n_pages.max(1) as f64;
    let line = |value: &dyn Fn(&CurvePoint) -> f64| {
        let most = model.curve.iter().map(value).fold(0.0, f64::max).max(1e-9);
        let points = model.curve.iter().map(|point| {
            let x = LEFT + point.n_pages as f64 / pages_max * WIDTH;
            let y = TOP + (1.0 - value(point) / most) * HEIGHT;
            format!("{x:.1},{y:.1}")
        });
        (points.collect::<Vec<_>>().join(" "), most)
    };
    let (description, most) = line(&|point| point.description);
    let (classes, n_classes) = line(&|point| point.n_classes as f64);
    let (right, bottom) = (LEFT + WIDTH, TOP + HEIGHT);
    format!(
        "<figure><svg width=\"{w:.0}\" height=\"{h:.0}\" viewBox=\"0 0 {w:.0} {h:.0}\" role=\"img\" aria-label=\"growth of the model\">\
         <line class=\"axis\" x1=\"{LEFT}\" y1=\"{bottom}\" x2=\"{right}\" y2=\"{bottom}\"/>\
         <polyline class=\"curve\" points=\"{description}\"/><polyline class=\"steps\" points=\"{classes}\"/>\
         <text class=\"soft\" x=\"{LEFT}\" y=\"{below:.0}\">0</text><text class=\"soft\" x=\"{right}\" y=\"{below:.0}\" text-anchor=\"end\">{pages} pages visited</text></svg>\
         <figcaption>Blue: description length a page, at most {most:.1}. Brown: classes, at most {n_classes:.0}. Both lie flat when more visits tell nothing new.</figcaption></figure>\n",
        w = right + 20.0,
        h = bottom + 24.0,
        below = bottom + 16.0,
        pages = last.n_pages,
    )
}
