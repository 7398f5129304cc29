//! Histograms: bars as a drawing.

use maud::{Markup, html};

/// A bar of a histogram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// What it counts, such as a value, or `10 to 20`.
    pub label: String,
    /// How many there are.
    pub count: u64,
}

/// The least height of a bar that counts anything: one value among thousands is still to be seen.
const HEIGHT_MIN: f64 = 1.5;

/// A drawing of bars, of one colour that is seen on light and on dark. Each bar tells what it
/// stands for.
pub fn histogram(bars: &[Bar], width: u32, height: u32) -> Markup {
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1) as f64;
    let step = f64::from(width) / bars.len().max(1) as f64;
    let gap = if step > 4.0 { 1.0 } else { 0.0 };
    let rise = |count: u64| match count {
        0 => 0.0,
        count => (count as f64 / most * f64::from(height)).max(HEIGHT_MIN),
    };
    html! {
        svg xmlns="http://www.w3.org/2000/svg" class="histogram" width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img" aria-label="How the values are spread" {
            @for (place, bar) in bars.iter().enumerate() {
                @let high = rise(bar.count);
                rect x=(format!("{:.1}", step * place as f64)) y=(format!("{:.1}", f64::from(height) - high))
                    width=(format!("{:.1}", (step - gap).max(0.5))) height=(format!("{high:.1}")) fill="#4a8fd6" {
                    title { (bar.label) ": " (bar.count) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_only_text() {
        let bar = |label: &str, count| Bar {
            label: label.to_owned(),
            count,
        };
        let svg = histogram(&[bar("</title><script>", 3), bar("b", 0)], 100, 20).into_string();
        assert!(!svg.contains("<script>") && svg.matches("<rect").count() == 2, "{svg}");
        assert!(histogram(&[], 100, 20).into_string().contains("<svg"));
    }
}
