//! A network with one hidden layer: its weights, its outputs, and one step of learning.
//!
//! Owns the arithmetic. Inputs are sparse: a list of features with their values. Knows no game.
//!
//! Invariants: only additions, multiplications and divisions of `f32`, in a fixed order. So all machines compute the same
//! outputs and learn the same weights.

use astragal_core::Stream;

/// A feature that is not zero: its number and its value.
pub type Feature = (u32, f32);

/// The sizes of the layers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Features.
    pub inputs: u32,
    /// Hidden units.
    pub hidden: u32,
    /// Outputs.
    pub outputs: u32,
}

impl Shape {
    /// The number of weights of each layer, each with its biases: the first layer's come last in the file, too.
    fn sizes(self) -> [usize; 4] {
        let [inputs, hidden, outputs] = [self.inputs, self.hidden, self.outputs].map(|n| n as usize);
        [inputs * hidden, hidden, hidden * outputs, outputs]
    }
}

/// The weights of all layers.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    shape: Shape,
    /// By feature, then by hidden unit.
    pub(crate) first: Vec<f32>,
    pub(crate) first_bias: Vec<f32>,
    /// By output, then by hidden unit.
    pub(crate) second: Vec<f32>,
    pub(crate) second_bias: Vec<f32>,
}

/// Buffers for the results of one evaluation.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    /// The sums of the hidden units.
    sums: Vec<f32>,
    /// The hidden units.
    hidden: Vec<f32>,
    /// The outputs, from 0 to 1.
    pub outputs: Vec<f32>,
}

/// The size of the first weights.
const INITIAL: f32 = 0.1;

/// A smooth step from 0 to 1: `1 / (1 + e^-x)`, by additions, multiplications and divisions alone.
fn sigmoid(x: f32) -> f32 {
    let x = x.clamp(-24.0, 24.0);
    // e^x = (e^(x/64))^64, the inner one by its series.
    let t = -x / 64.0;
    let mut power = 1.0 + t * (1.0 + t * (0.5 + t * (1.0 / 6.0 + t * (1.0 / 24.0 + t / 120.0))));
    for _ in 0..6 {
        power *= power;
    }
    1.0 / (1.0 + power)
}

/// The response of a hidden unit, from -1 to 1.
fn response(sum: f32) -> f32 {
    sum / (1.0 + sum.abs())
}

/// The derivative of [`response`].
fn slope(sum: f32) -> f32 {
    let part = 1.0 / (1.0 + sum.abs());
    part * part
}

impl Network {
    /// A network with small random weights.
    pub fn new(shape: Shape, seed: u64) -> Network {
        let mut random = Stream::new(seed, 0x006e_6574_776f_726b);
        let mut weights = |count: usize| -> Vec<f32> {
            let unit = |bits: u64| (bits >> 40) as f32 / (1u64 << 23) as f32 - 1.0;
            (0..count).map(|_| INITIAL * unit(random.next_u64())).collect()
        };
        let [first, first_bias, second, second_bias] = shape.sizes();
        Network {
            shape,
            first: weights(first),
            first_bias: weights(first_bias),
            second: weights(second),
            second_bias: vec![0.0; second_bias],
        }
    }

    /// A network with these weights: those of the first layer, its biases, those of the second, its biases. `None` if their
    /// numbers do not suit the shape, or one is not finite.
    pub fn of(shape: Shape, [first, first_bias, second, second_bias]: [Vec<f32>; 4]) -> Option<Network> {
        let network = Network { shape, first, first_bias, second, second_bias };
        let suits = network.weights().iter().map(|part| part.len()).eq(shape.sizes());
        let finite = network.weights().iter().all(|part| part.iter().all(|weight| weight.is_finite()));
        (suits && finite).then_some(network)
    }

    /// The sizes of the layers.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The weights, in the order of [`Network::of`].
    pub fn weights(&self) -> [&[f32]; 4] {
        [&self.first, &self.first_bias, &self.second, &self.second_bias]
    }

    /// Computes the outputs for some features.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn run(&self, features: &[Feature], activity: &mut Activity) {
        let width = self.shape.hidden as usize;
        let Activity { sums, hidden, outputs } = activity;
        sums.clear();
        sums.extend_from_slice(&self.first_bias);
        for &(feature, value) in features {
            let row = &self.first[feature as usize * width..][..width];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += value * weight;
            }
        }
        hidden.clear();
        hidden.extend(sums.iter().map(|&sum| response(sum)));
        outputs.clear();
        for (row, bias) in self.second.chunks(width.max(1)).zip(&self.second_bias) {
            outputs.push(sigmoid(dot(row, hidden) + bias));
        }
    }

    /// Moves the weights by one step so that the outputs for these features come closer to the targets: one step of gradient
    /// descent on the cross entropy. The step is divided by the square of the gradient of an output: with a rate of 1, the sum
    /// before the last sigmoid changes by as much as the output misses its target. So a rate suits all games, and large weights do
    /// not make steps unstable. Returns the sum of the squared errors before the step.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn learn(&mut self, features: &[Feature], targets: &[f32], rate: f32, activity: &mut Activity) -> f32 {
        self.run(features, activity);
        let width = self.shape.hidden as usize;
        let Activity { sums, hidden, outputs } = activity;
        let rate = rate / steepness(&self.second, features, sums, hidden);
        let mut blame = vec![0.0; width];
        let mut error = 0.0;
        for (output, (&value, &target)) in outputs.iter().zip(targets).enumerate() {
            let miss = target - value;
            error += miss * miss;
            let row = &mut self.second[output * width..][..width];
            for ((weight, blame), hidden) in row.iter_mut().zip(&mut blame).zip(hidden.iter()) {
                *blame += miss * *weight;
                *weight += rate * miss * hidden;
            }
            self.second_bias[output] += rate * miss;
        }
        for (blame, &sum) in blame.iter_mut().zip(sums.iter()) {
            *blame *= rate * slope(sum);
        }
        for &(feature, value) in features {
            let row = &mut self.first[feature as usize * width..][..width];
            for (weight, blame) in row.iter_mut().zip(&blame) {
                *weight += value * blame;
            }
        }
        for (bias, blame) in self.first_bias.iter_mut().zip(&blame) {
            *bias += blame;
        }
        error
    }

    /// Moves all weights by this part of the way toward those of another network of the same shape.
    pub fn approach(&mut self, other: &Network, part: f32) {
        let mine = [&mut self.first, &mut self.first_bias, &mut self.second, &mut self.second_bias];
        for (mine, theirs) in mine.into_iter().zip(other.weights()) {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine += part * (theirs - *mine);
            }
        }
    }
}

/// The square of the gradient of the sum behind an output with respect to all weights; the greatest of all outputs.
fn steepness(second: &[f32], features: &[Feature], sums: &[f32], hidden: &[f32]) -> f32 {
    // The bias of a hidden unit counts as another feature that is 1.
    let inputs = 1.0 + features.iter().map(|(_, value)| value * value).sum::<f32>();
    let direct = 1.0 + dot(hidden, hidden);
    let of_output = |row: &[f32]| {
        let terms = row.iter().zip(sums).map(|(weight, &sum)| weight * slope(sum));
        terms.map(|term| term * term).sum::<f32>()
    };
    direct + inputs * second.chunks(hidden.len().max(1)).map(of_output).fold(0.0, f32::max)
}

/// A sum of products, in eight lanes.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 8];
    let (a_whole, a_rest) = a.as_chunks::<8>();
    let (b_whole, b_rest) = b.as_chunks::<8>();
    for (a, b) in a_whole.iter().zip(b_whole) {
        for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            *lane += a * b;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_is_that_of_the_exponential_function() {
        for x in [-24.0f32, -10.0, -3.0, -0.5, 0.0, 0.1, 1.0, 5.0, 24.0] {
            let exact = 1.0 / (1.0 + f64::exp(f64::from(-x)));
            assert!((f64::from(sigmoid(x)) - exact).abs() < 1e-5, "{x}: {} {exact}", sigmoid(x));
        }
    }

    #[test]
    fn steps_follow_the_gradient() {
        let shape = Shape { inputs: 5, hidden: 11, outputs: 2 };
        let (features, targets) = ([(1, 1.0), (3, 0.5)], [0.9, 0.2]);
        let loss = |network: &Network| {
            let mut activity = Activity::default();
            network.run(&features, &mut activity);
            let term = |(p, t): (&f32, &f32)| -t * p.ln() - (1.0 - t) * (1.0 - p).ln();
            activity.outputs.iter().zip(&targets).map(term).sum::<f32>()
        };
        let network = Network::new(shape, 7);
        let mut stepped = network.clone();
        let mut activity = Activity::default();
        network.run(&features, &mut activity);
        let rate = 1e-3 / steepness(&network.second, &features, &activity.sums, &activity.hidden);
        stepped.learn(&features, &targets, 1e-3, &mut activity);
        // The loss falls by the rate times the square of the gradient, which is the square of the step over the rate.
        let step = |(a, b): (&&[f32], &&[f32])| a.iter().zip(*b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
        let squared: f32 = network.weights().iter().zip(&stepped.weights()).map(step).sum();
        let fell = loss(&network) - loss(&stepped);
        assert!((fell / (squared / rate) - 1.0).abs() < 0.05, "{fell} {squared}");
        for _ in 0..2000 {
            stepped.learn(&features, &targets, 0.5, &mut activity);
        }
        stepped.run(&features, &mut activity);
        assert!((activity.outputs[0] - 0.9).abs() < 1e-3 && (activity.outputs[1] - 0.2).abs() < 1e-3);
    }
}
