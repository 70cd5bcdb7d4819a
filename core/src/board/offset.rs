//! Offsets: steps on a board, before it is known where they lead.

/// A step on the board: files to the right, ranks forward, seen by the first side.
pub type Offset = (i8, i8);

/// An offset as a side sees it whose forward direction is turned clockwise by `quarters` quarters:
/// 0 plays up the board, 1 to the right, 2 down, 3 to the left.
///
/// ```
/// use astragal_core::board::turn_offset;
/// assert_eq!(turn_offset((0, 1), 2), (0, -1));
/// assert_eq!(turn_offset((0, 1), 1), (1, 0));
/// ```
pub fn turn_offset((dx, dy): Offset, quarters: u8) -> Offset {
    match quarters % 4 {
        0 => (dx, dy),
        1 => (dy, -dx),
        2 => (-dx, -dy),
        _ => (-dy, dx),
    }
}
