//! Exact fractions for chances.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul};

/// A non-negative fraction in lowest terms.
///
/// ```
/// use astragal_core::Ratio;
/// assert_eq!((Ratio::new(1, 4) + Ratio::new(1, 12)).to_string(), "1/3");
/// assert_eq!(Ratio::ONE.to_string(), "1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: u128,
    denominator: u128,
}

impl Ratio {
    /// Zero.
    pub const ZERO: Ratio = Ratio { numerator: 0, denominator: 1 };
    /// Certainty.
    pub const ONE: Ratio = Ratio { numerator: 1, denominator: 1 };

    /// `numerator / denominator`, reduced.
    ///
    /// # Panics
    /// If `denominator` is 0.
    pub fn new(numerator: u128, denominator: u128) -> Ratio {
        assert!(denominator != 0, "the denominator of a fraction cannot be 0");
        let divisor = gcd(numerator, denominator);
        Ratio { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// The numerator, in lowest terms.
    pub fn numerator(self) -> u128 {
        self.numerator
    }

    /// The denominator, in lowest terms.
    pub fn denominator(self) -> u128 {
        self.denominator
    }

    /// The product; `None` if it does not fit in 128 bits.
    pub fn checked_mul(self, other: Ratio) -> Option<Ratio> {
        let a = Ratio::new(self.numerator, other.denominator);
        let b = Ratio::new(other.numerator, self.denominator);
        let numerator = a.numerator.checked_mul(b.numerator)?;
        Some(Ratio { numerator, denominator: a.denominator.checked_mul(b.denominator)? })
    }

    /// The sum; `None` if it does not fit in 128 bits.
    pub fn checked_add(self, other: Ratio) -> Option<Ratio> {
        let divisor = gcd(self.denominator, other.denominator);
        let (a, b) = (self.denominator / divisor, other.denominator / divisor);
        let sum = self.numerator.checked_mul(b)?.checked_add(other.numerator.checked_mul(a)?)?;
        Some(Ratio::new(sum, self.denominator.checked_mul(b)?))
    }

    /// The reciprocal; `None` for zero.
    pub(crate) fn inverse(self) -> Option<Ratio> {
        (self.numerator > 0).then_some(Ratio { numerator: self.denominator, denominator: self.numerator })
    }

    /// A denominator that is a multiple of `denominator` and of this fraction's; `None` if it would leave no room for
    /// additions.
    pub(crate) fn common(self, denominator: u128) -> Option<u128> {
        let common = (denominator / gcd(denominator, self.denominator)).checked_mul(self.denominator)?;
        (common < u128::MAX / 2).then_some(common)
    }

    /// The nearest floating-point number, for printing percentages.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

impl Add for Ratio {
    type Output = Ratio;
    /// # Panics
    /// If the sum does not fit in 128 bits.
    fn add(self, other: Ratio) -> Ratio {
        self.checked_add(other).expect("the fraction fits in 128 bits")
    }
}

impl AddAssign for Ratio {
    fn add_assign(&mut self, other: Ratio) {
        *self = *self + other;
    }
}

impl Mul for Ratio {
    type Output = Ratio;
    /// # Panics
    /// If the product does not fit in 128 bits.
    fn mul(self, other: Ratio) -> Ratio {
        self.checked_mul(other).expect("the fraction fits in 128 bits")
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        // Compares integer parts, then the reciprocals of the remainders: without multiplication, so without overflow.
        let ((mut a, mut b), (mut c, mut d)) =
            ((self.numerator, self.denominator), (other.numerator, other.denominator));
        loop {
            match ((a / b).cmp(&(c / d)), a % b, c % d) {
                (Ordering::Equal, 0, 0) => return Ordering::Equal,
                (Ordering::Equal, 0, _) => return Ordering::Less,
                (Ordering::Equal, _, 0) => return Ordering::Greater,
                (Ordering::Equal, left, right) => ((a, b), (c, d)) = ((d, right), (b, left)),
                (order, ..) => return order,
            }
        }
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            write!(f, "{}", self.numerator)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

impl fmt::Debug for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_that_of_the_numbers() {
        let all = || (0..14_u128).flat_map(|a| (1..14_u128).map(move |b| (a, b)));
        for ((a, b), (c, d)) in all().flat_map(|x| all().map(move |y| (x, y))) {
            assert_eq!(Ratio::new(a, b).cmp(&Ratio::new(c, d)), (a * d).cmp(&(c * b)), "{a}/{b} and {c}/{d}");
        }
    }

    /// Cross products of these have 256 bits.
    #[test]
    fn fractions_too_fine_to_be_added_are_compared() {
        let below_one = |gap: u128| Ratio::new(u128::MAX - gap - 1, u128::MAX - gap);
        assert!(below_one(0) > below_one(1) && below_one(1) < below_one(0) && below_one(0) < Ratio::ONE);
        assert_eq!(below_one(2).cmp(&below_one(2)), Ordering::Equal);
        assert!(Ratio::new(1, u128::MAX) > Ratio::ZERO && Ratio::new(1, u128::MAX) < Ratio::new(1, u128::MAX - 1));
    }
}
