//! The curve of a model: description length and classes, against pages visited.

use maud::{Markup, html};
use untemplate::site::model::{CurvePoint, SiteModel};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 160.0;
const LEFT: f64 = 40.0;
const TOP: f64 = 12.0;

/// The curve as a figure; nothing where the model has none.
pub(super) fn growth_curve(model: &SiteModel) -> Markup {
    let Some(last) = model.curve.last() else {
        return html! {};
    };
    let (description, most) = line(model, |point| point.description);
    let (classes, n_classes) = line(model, |point| point.n_classes as f64);
    let (right, bottom) = (LEFT + WIDTH, TOP + HEIGHT);
    let (width, height, below) = (right + 20.0, bottom + 24.0, bottom + 16.0);
    html! {
        figure {
            svg width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img" aria-label="growth of the model" {
                line.axis x1=(LEFT) y1=(bottom) x2=(right) y2=(bottom) {}
                polyline.curve points=(description) {}
                polyline.steps points=(classes) {}
                text.soft x=(LEFT) y=(below) { "0" }
                text.soft x=(right) y=(below) text-anchor="end" { (last.n_pages) " pages visited" }
            }
            figcaption {
                (format!("Blue: description length a page, at most {most:.1}. Brown: classes, at most {n_classes:.0}. Both lie flat when more visits tell nothing new."))
            }
        }
    }
}

/// The points of a line, and its greatest value.
fn line(model: &SiteModel, value: impl Fn(&CurvePoint) -> f64) -> (String, f64) {
    let pages_max = model.curve.last().map_or(1, |last| last.n_pages.max(1)) as f64;
    let most = model.curve.iter().map(&value).fold(0.0, f64::max).max(1e-9);
    let points = model.curve.iter().map(|point| {
        let x = LEFT + point.n_pages as f64 / pages_max * WIDTH;
        let y = TOP + (1.0 - value(point) / most) * HEIGHT;
        format!("{x:.1},{y:.1}")
    });
    (points.collect::<Vec<_>>().join(" "), most)
}
