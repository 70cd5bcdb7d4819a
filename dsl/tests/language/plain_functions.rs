//! The functions of arrays, texts and numbers that docs/language.md promises to scripts.

use crate::common::{game, start};
use astragal_core::Status;

/// Each line says whether something holds of the functions.
const HOLDS: &str = r#"
    { let a = [3, 1, 2]; a.sort(); a == [1, 2, 3] }
    { let a = [3, 1, 2]; a.reverse(); a[0] == 2 && a[-1] == 3 }
    { let a = [3, 1, 2]; a.index_of(2) == 2 && a.index_of(9) == -1 }
    { let a = [3, 1, 2]; 2 in a && a.contains(2) && !(9 in a) }
    { let a = [3, 1, 2]; a.filter(|x| x > 1).len() == 2 && a.map(|x| x * 2)[0] == 6 }
    { let a = [3, 1, 2]; a.some(|x| x > 2) && !a.all(|x| x > 2) && a.find(|x| x < 3) == 1 }
    { let a = [3, 1, 2]; a.reduce(|sum, x| sum + x, 0) == 6 && !a.is_empty() }
    { let a = [3, 1]; a.push(5); a.insert(0, 7); a.remove(1); a.pop() == 5 && a == [7, 1] }
    { let a = [1, 1, 2]; a.dedup(); a.len() == 2 && (a + [3]).len() == 3 }
    { let t = "ab cd"; t.len() == 5 && t.contains("b") && t.starts_with("a") && t.sub_string(0, 2) == "ab" }
    { "ab cd".split(" ")[1] == "cd" && "a".to_upper() == "A" && parse_int("12") == 12 && `${1 + 1} men` == "2 men" }
    { let m = #{ a: 1 }; m.a == 1 && m["a"] == 1 && m.keys() == ["a"] && m.values() == [1] && "a" in m }
    { let n = -3; 2 ** 3 == 8 && n.abs() == 3 && n.sign() == -1 && 7 / 2 == 3 && 7 % 2 == 1 && min(1, 2) == 1 }
    { let sum = 0; for (x, i) in [5, 6] { sum += x * i; } for i in 0..=2 { sum += i; } for i in 0..2 { sum += i; } sum == 10 }
    { let n = 8; let sort = switch n { 1 => 1, 9 | 8 => 5, _ => 0 }; sort == 5 }"#;

#[test]
fn arrays_texts_maps_numbers_and_loops_are_as_the_guide_says() {
    let lines: Vec<&str> = HOLDS.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 15);
    for line in lines {
        let script = format!(
            "board(3, 1); piece(\"man\", \"M\", \"W\"); setup(\"M1m w\");
             fn turn() {{ let holds = {line}; if holds {{ win(mover(), \"so it is\"); }} else {{ play(any()) }} }}"
        );
        assert_eq!(start(&game(&script)).status(), Status::Over, "{line}");
    }
}
