//! Histograms: bars as a drawing.

use maud::{Markup, html};

use super::statistics::Bar;

/// A drawing of bars, of one colour that is seen on light and on dark. Each bar tells what it stands for.
pub fn histogram(bars: &[Bar], width: u32, height: u32) -> Markup {
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1) as f64;
    let step = f64::from(width) / bars.len().max(1) as f64;
    let rise = |count: u64| match count {
        0 => 0.0,
        count => (count as f64 / most * f64::from(height)).max(1.0),
    };
    html! {
        svg xmlns="http://www.w3.org/2000/svg" class="histogram" width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img" aria-label="How the values are spread" {
            @for (place, bar) in bars.iter().enumerate() {
                @let high = rise(bar.count);
                rect x=(format!("{:.1}", step * place as f64)) y=(format!("{:.1}", f64::from(height) - high))
                    width=(format!("{:.1}", (step - if step > 4.0 { 1.0 } else { 0.0 }).max(0.5))) height=(format!("{high:.1}")) fill="#4a8fd6" {
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
        let bars = [
            Bar {
                label: "</title><script>".to_owned(),
                count: 3,
            },
            Bar {
                label: "b".to_owned(),
                count: 0,
            },
        ];
        let svg = histogram(&bars, 100, 20).into_string();
        assert!(!svg.contains("<script>") && svg.matches("<rect").count() == 2, "{svg}");
        assert!(histogram(&[], 100, 20).into_string().contains("<svg"));
    }
}
