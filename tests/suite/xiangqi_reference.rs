//! A slow generator of xiangqi moves, written from the rules (`XQ-1` to `XQ-5`) with nothing of the
//! engine's: letters on a grid, offsets, and each move made and tested.

/// A file (0 to 8, from a) and a rank (0 to 9).
pub type Point = (i32, i32);

/// A board: upper-case letters are Red's, lower-case ones Black's, `.` is empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    rows: [[char; 9]; 10],
}

const ORTHOGONAL: [Point; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [Point; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

impl Grid {
    pub fn empty() -> Grid {
        Grid { rows: [['.'; 9]; 10] }
    }

    /// Reads a placement as in a FEN.
    pub fn read(placement: &str) -> Grid {
        let mut grid = Grid::empty();
        for (rank, row) in (0..10).rev().zip(placement.split('/')) {
            let mut file = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(empty) => file += empty as i32,
                    None => {
                        grid.set((file, rank), letter);
                        file += 1;
                    }
                }
            }
        }
        grid
    }

    /// Writes a placement.
    pub fn write(&self) -> String {
        let rows = self.rows.iter().rev().map(|row| {
            let mut text = String::new();
            let mut empty = 0;
            for &letter in row {
                if letter == '.' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(letter);
            }
            if empty > 0 { format!("{text}{empty}") } else { text }
        });
        rows.collect::<Vec<_>>().join("/")
    }

    pub fn set(&mut self, (file, rank): Point, letter: char) {
        self.rows[rank as usize][file as usize] = letter;
    }

    /// The letter on a point, `None` off the board.
    pub fn at(&self, (file, rank): Point) -> Option<char> {
        let on_board = (0..9).contains(&file) && (0..10).contains(&rank);
        on_board.then(|| self.rows[rank as usize][file as usize])
    }

    fn is_empty(&self, point: Point) -> bool {
        self.at(point) == Some('.')
    }

    fn pieces(&self, red: bool) -> Vec<(Point, char)> {
        let points = (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)));
        let all = points.map(|point| (point, self.rows[point.1 as usize][point.0 as usize]));
        all.filter(|&(_, letter)| letter != '.' && letter.is_ascii_uppercase() == red).collect()
    }

    /// Where a side's general stands.
    pub fn general(&self, red: bool) -> Option<Point> {
        let general = if red { 'K' } else { 'k' };
        self.pieces(red).into_iter().find(|&(_, letter)| letter == general).map(|(point, _)| point)
    }

    /// Every move that follows a piece's way of moving, the general's capture on the open file included.
    fn reaches(&self, red: bool) -> Vec<(Point, Point)> {
        let mut found = Vec::new();
        for (from, letter) in self.pieces(red) {
            let mut targets = Vec::new();
            self.targets(from, letter.to_ascii_uppercase(), red, &mut targets);
            let own = |point: Point| self.at(point).is_none_or(|c| c != '.' && c.is_ascii_uppercase() == red);
            found.extend(targets.into_iter().filter(|&to| !own(to)).map(|to| (from, to)));
        }
        found
    }

    fn targets(&self, from: Point, kind: char, red: bool, out: &mut Vec<Point>) {
        let plus = |(x, y): Point, (dx, dy): Point, n: i32| (x + n * dx, y + n * dy);
        let forward = if red { 1 } else { -1 };
        match kind {
            'K' => {
                out.extend(ORTHOGONAL.map(|step| plus(from, step, 1)).into_iter().filter(|&p| in_palace(p, red)));
                if let Some(other) = self.general(!red).filter(|other| other.0 == from.0) {
                    let (low, high) = (from.1.min(other.1), from.1.max(other.1));
                    if (low + 1..high).all(|rank| self.is_empty((from.0, rank))) {
                        out.push(other);
                    }
                }
            }
            'A' => out.extend(DIAGONAL.map(|step| plus(from, step, 1)).into_iter().filter(|&p| in_palace(p, red))),
            'B' => {
                let at_home = |p: &Point| if red { p.1 <= 4 } else { p.1 >= 5 };
                let open = DIAGONAL.into_iter().filter(|&step| self.is_empty(plus(from, step, 1)));
                out.extend(open.map(|step| plus(from, step, 2)).filter(at_home));
            }
            'N' => {
                for (dx, dy) in ORTHOGONAL.into_iter().filter(|&step| self.is_empty(plus(from, step, 1))) {
                    let ahead = plus(from, (dx, dy), 2);
                    out.extend([(ahead.0 + dy, ahead.1 + dx), (ahead.0 - dy, ahead.1 - dx)]);
                }
            }
            'R' => ORTHOGONAL.into_iter().for_each(|step| {
                let mut point = plus(from, step, 1);
                while self.is_empty(point) {
                    out.push(point);
                    point = plus(point, step, 1);
                }
                out.push(point);
            }),
            'C' => ORTHOGONAL.into_iter().for_each(|step| {
                let mut point = plus(from, step, 1);
                while self.is_empty(point) {
                    out.push(point);
                    point = plus(point, step, 1);
                }
                // The first piece is jumped, the second can be taken.
                point = plus(point, step, 1);
                while self.is_empty(point) {
                    point = plus(point, step, 1);
                }
                out.push(point);
            }),
            'P' => {
                out.push(plus(from, (0, forward), 1));
                if if red { from.1 > 4 } else { from.1 < 5 } {
                    out.extend([plus(from, (1, 0), 1), plus(from, (-1, 0), 1)]);
                }
            }
            other => panic!("no piece is written {other}"),
        }
    }

    /// Whether a side's general is attacked, by the other general too.
    pub fn in_check(&self, red: bool) -> bool {
        self.general(red).is_some_and(|general| self.reaches(!red).iter().any(|&(_, to)| to == general))
    }

    pub fn after(&self, (from, to): (Point, Point)) -> Grid {
        let mut after = self.clone();
        after.set(to, self.at(from).expect("a point of the board"));
        after.set(from, '.');
        after
    }

    /// The legal moves, sorted. If the general of the side not to move is attacked, which never happens in a game of
    /// xiangqi, capturing it is legal even if one's own general is attacked: the game ends first.
    pub fn legal(&self, red: bool) -> Vec<(Point, Point)> {
        let mut moves = self.reaches(red);
        let prize = self.general(!red);
        moves.retain(|&step| Some(step.1) == prize || !self.after(step).in_check(red));
        moves.sort_unstable();
        moves
    }
}

/// Whether a point lies in a side's palace.
pub fn in_palace((file, rank): Point, red: bool) -> bool {
    (3..=5).contains(&file) && if red { (0..=2).contains(&rank) } else { (7..=9).contains(&rank) }
}
