//! Logistic regression: weighted examples in, coefficients out, by Newton's method on standardised
//! values with a ridge of one.

/// An example for or against.
pub struct Example {
    /// Its numbers.
    pub evidence: Vec<f64>,
    /// What it is an example of.
    pub is_list: bool,
    /// How much it counts.
    pub weight: f64,
}

/// What was fitted.
#[derive(Debug, Clone)]
pub struct Model {
    /// Of no number.
    pub intercept: f64,
    /// Of each number.
    pub weights: Vec<f64>,
}

/// Steps of Newton's method; it has converged long before.
const STEPS: usize = 25;

impl Model {
    /// Fits examples.
    pub fn fit(examples: &[Example]) -> Self {
        let width = examples.first().map_or(0, |example| example.evidence.len());
        let n = examples.len().max(1) as f64;
        let mean = |at: usize| examples.iter().map(|example| example.evidence[at]).sum::<f64>() / n;
        let means: Vec<f64> = (0..width).map(mean).collect();
        let spread = |at: usize| {
            let squares = examples
                .iter()
                .map(|example| (example.evidence[at] - means[at]).powi(2));
            (squares.sum::<f64>() / n).sqrt().max(1e-9)
        };
        let spreads: Vec<f64> = (0..width).map(spread).collect();
        let row = |example: &Example| -> Vec<f64> {
            let scaled = (0..width).map(|at| (example.evidence[at] - means[at]) / spreads[at]);
            scaled.chain([1.0]).collect()
        };
        let rows: Vec<Vec<f64>> = examples.iter().map(row).collect();
        let mut found = vec![0.0; width + 1];
        for _ in 0..STEPS {
            let step = newton_step(examples, &rows, &found);
            found.iter_mut().zip(step).for_each(|(value, step)| *value += step);
        }
        let weights: Vec<f64> = (0..width).map(|at| found[at] / spreads[at]).collect();
        let shift: f64 = weights.iter().zip(&means).map(|(weight, mean)| weight * mean).sum();
        Self {
            intercept: found[width] - shift,
            weights,
        }
    }

    /// The probability of evidence.
    pub fn probability(&self, evidence: &[f64]) -> f64 {
        let sum: f64 = self
            .weights
            .iter()
            .zip(evidence)
            .map(|(weight, value)| weight * value)
            .sum();
        1.0 / (1.0 + (-self.intercept - sum).exp())
    }
}

fn newton_step(examples: &[Example], rows: &[Vec<f64>], found: &[f64]) -> Vec<f64> {
    let width = found.len();
    let mut system = vec![vec![0.0; width + 1]; width];
    for (at, line) in system.iter_mut().enumerate().take(width - 1) {
        line[at] = 1.0;
        line[width] = -found[at];
    }
    for (example, row) in examples.iter().zip(rows) {
        let sum: f64 = row.iter().zip(found).map(|(value, weight)| value * weight).sum();
        let chance = 1.0 / (1.0 + (-sum).exp());
        let miss = example.weight * (f64::from(u8::from(example.is_list)) - chance);
        let curve = example.weight * chance * (1.0 - chance);
        for (line, value) in system.iter_mut().zip(row) {
            line[width] += miss * value;
            line.iter_mut()
                .zip(row)
                .for_each(|(cell, other)| *cell += curve * value * other);
        }
    }
    system[width - 1][width - 1] += 1e-9;
    solved(system)
}

/// Solves linear equations, each a line with its right side last.
fn solved(mut system: Vec<Vec<f64>>) -> Vec<f64> {
    let width = system.len();
    for at in 0..width {
        let largest = (at..width).max_by(|one, other| system[*one][at].abs().total_cmp(&system[*other][at].abs()));
        system.swap(at, largest.unwrap_or(at));
        let pivot = system[at].clone();
        let others = system.iter_mut().enumerate().filter(|(number, _)| *number != at);
        for (_, line) in others {
            let factor = line[at] / pivot[at];
            line.iter_mut()
                .zip(&pivot)
                .for_each(|(cell, value)| *cell -= factor * value);
        }
    }
    (0..width).map(|at| system[at][width] / system[at][at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_of_a_coin_that_depends_on_one_number_are_found() {
        let points: Vec<([f64; 1], bool, f64)> = vec![
            ([0.0], true, 25.0),
            ([0.0], false, 75.0),
            ([1.0], true, 75.0),
            ([1.0], false, 25.0),
        ];
        let examples: Vec<Example> = points
            .iter()
            .map(|(evidence, is_list, weight)| Example {
                evidence: evidence.to_vec(),
                is_list: *is_list,
                weight: weight * 100.0,
            })
            .collect();
        let model = Model::fit(&examples);
        assert!((model.probability(&[0.0]) - 0.25).abs() < 0.01, "{model:?}");
        assert!((model.probability(&[1.0]) - 0.75).abs() < 0.01, "{model:?}");
    }
}
