//! A square of a picture: its row and column, its middle, and its size.

use astragal_core::Square;

/// A square of a picture.
pub(crate) struct SquareCenter {
    pub(crate) square: Square,
    pub(crate) row: usize,
    pub(crate) column: usize,
    /// Its middle.
    pub(crate) x: i64,
    pub(crate) y: i64,
    /// Its size.
    pub(crate) width: i64,
    pub(crate) height: i64,
}
