//! The standard normal distribution.

/// The chance of a number below `x`.
///
/// Computed by the continued fraction of Mills' ratio far out and the power series near the middle (Abramowitz and Stegun
/// 26.2.10 and 26.2.14); accurate to about 14 digits.
pub fn below(x: f64) -> f64 {
    if x.is_nan() {
        return f64::NAN;
    }
    let distance = x.abs();
    let density = (-0.5 * distance * distance).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let beyond = if distance > 3.0 {
        let ratio = (1..=60).rev().fold(distance, |tail, k| distance + f64::from(k) / tail);
        density / ratio
    } else {
        let (mut term, mut sum, mut k) = (distance, distance, 1.0);
        while term.abs() > 1e-17 * sum.abs() && k < 400.0 {
            k += 2.0;
            term *= distance * distance / k;
            sum += term;
        }
        0.5 - density * sum
    };
    if x > 0.0 { 1.0 - beyond } else { beyond }
}

/// The chance of a number at least as far from 0 as `x`: the two-sided p-value of a test.
pub fn p_value(x: f64) -> f64 {
    (2.0 * below(-x.abs())).clamp(0.0, 1.0)
}

/// The number that is exceeded with chance 1 - `chance`; infinite for 0 and 1.
pub fn quantile(chance: f64) -> f64 {
    if !(0.0..=1.0).contains(&chance) {
        return f64::NAN;
    }
    if chance == 0.0 || chance == 1.0 {
        return if chance == 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let (mut low, mut high) = (-40.0, 40.0);
    // One bit of the result per iteration.
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if below(middle) < chance { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Abramowitz and Stegun, tables 26.1 and 26.2; the far one from the asymptotic series.
    #[test]
    fn published_values() {
        for (x, chance) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (2.0, 0.977_249_868_051_821),
            (3.0, 0.998_650_101_968_370),
            (-1.96, 0.024_997_895_148_220),
            (-4.0, 3.167_124_183_311_998e-5),
            (-6.0, 9.865_876_450_376_98e-10),
        ] {
            assert!((below(x) / chance - 1.0).abs() < 1e-12, "{x}: {}", below(x));
        }
        for (chance, x) in [(0.5, 0.0), (0.975, 1.959_963_984_540_054), (0.95, 1.644_853_626_951_473)] {
            assert!((quantile(chance) - x).abs() < 1e-11, "{chance}");
        }
        assert!((p_value(-1.959_963_984_540_054) - 0.05).abs() < 1e-13);
    }
}
