use super::*;
use proptest::prelude::*;

fn one(text: &str) -> Atom {
    let atoms = parse(text).unwrap_or_else(|e| panic!("{}", e.render()));
    assert_eq!(atoms.len(), 1, "{text}");
    atoms[0].clone()
}

fn steps(text: &str) -> Vec<Offset> {
    let mut steps = one(text).steps;
    steps.sort();
    steps
}

fn sorted(mut list: Vec<Offset>) -> Vec<Offset> {
    list.sort();
    list
}

#[test]
fn orthodox_pawn() {
    for text in ["mfWcefFimfnD", "fmWfceFifmnD"] {
        let atoms = parse(text).unwrap();
        assert_eq!(atoms.len(), 3);
        let (step, capture, double) = (&atoms[0], &atoms[1], &atoms[2]);
        assert_eq!((&step.steps[..], step.quiet, step.capture, step.max), (&[(0, 1)][..], true, false, 1));
        assert_eq!(sorted(capture.steps.clone()), [(-1, 1), (1, 1)]);
        assert!(!capture.quiet && capture.capture && capture.en_passant && !capture.friendly);
        assert_eq!((&double.steps[..], &double.legs[..]), (&[(0, 2)][..], &[vec![(0, 1)]][..]));
        assert!(double.quiet && !double.capture && double.initial && double.double && !double.en_passant);
        assert!(!step.double && !step.initial);
    }
}

#[test]
fn pieces_of_xiangqi() {
    let horse = one("nN");
    assert_eq!(horse.steps.len(), 8);
    for (step, leg) in horse.steps.iter().zip(&horse.legs) {
        assert_eq!(leg[..], [(step.0 / 2, step.1 / 2)], "{step:?}");
    }
    let elephant = one("nA");
    assert!(elephant.steps.iter().zip(&elephant.legs).all(|(s, l)| l[..] == [(s.0 / 2, s.1 / 2)]));
    assert!(elephant.quiet && elephant.capture && !elephant.double);
    let cannon = parse("mRcpR").unwrap();
    assert_eq!((cannon[0].travel, cannon[0].quiet, cannon[0].capture, cannon[0].max), (Travel::Clear, true, false, 0));
    assert_eq!((cannon[1].travel, cannon[1].quiet, cannon[1].capture, cannon[1].max), (Travel::Hop, false, true, 0));
    assert_eq!(sorted(one("fsW").steps), [(-1, 0), (0, 1), (1, 0)]);
}

#[test]
fn ranges() {
    for (text, count, max) in [
        ("W", 4, 1),
        ("R", 4, 0),
        ("WW", 4, 0),
        ("FF", 4, 0),
        ("NN", 8, 0),
        ("N0", 8, 0),
        ("W3", 4, 3),
        ("R2", 4, 2),
        ("K", 8, 1),
        ("K2", 8, 2),
        ("KK", 8, 0),
        ("Q", 8, 0),
        ("Q3", 8, 3),
        ("B15", 4, 15),
        ("(1,4)", 8, 1),
        ("(0,4)2", 4, 2),
    ] {
        let atom = one(text);
        assert_eq!((atom.steps.len(), atom.min, atom.max), (count, 1, max), "{text}");
        assert_eq!(atom.legs.len(), count);
    }
    assert_eq!(one("B").steps, one("F").steps);
    assert_eq!(parse("BN").unwrap().len(), 2);
    assert_eq!(parse("WWW").unwrap().len(), 2);
    assert_eq!(one("gQ").travel, Travel::Land);
    assert_eq!(one("pW3").max, 3);
    for bad in ["W16", "W03", "W99999999999999999999", "3", "W3 3"] {
        assert!(parse(bad).is_err(), "{bad}");
    }
}

/// Table 2 of XBoard's description.
#[test]
fn directions() {
    assert_eq!(steps("fF"), [(-1, 1), (1, 1)]);
    assert_eq!(steps("frF"), [(1, 1)]);
    assert_eq!(steps("rfF"), [(1, 1)]);
    assert_eq!(steps("flbrF"), [(-1, 1), (1, -1)]);
    assert_eq!(steps("sF"), steps("F"));
    assert_eq!(steps("fB"), [(-1, 1), (1, 1)]);
    assert_eq!(steps("frW"), [(0, 1), (1, 0)]);
    assert_eq!(steps("vR"), [(0, -1), (0, 1)]);
    assert_eq!(steps("bD"), [(0, -2)]);
    assert_eq!(steps("fN"), [(-1, 2), (1, 2)]);
    assert_eq!(steps("ffN"), steps("fN"));
    assert_eq!(steps("fsN"), [(-2, 1), (2, 1)]);
    assert_eq!(steps("fhN"), [(-2, 1), (-1, 2), (1, 2), (2, 1)]);
    assert_eq!(steps("rhN"), [(1, -2), (1, 2), (2, -1), (2, 1)]);
    assert_eq!(steps("lhN"), [(-2, -1), (-2, 1), (-1, -2), (-1, 2)]);
    assert_eq!(steps("lfN"), [(-1, 2)]);
    assert_eq!(steps("flN"), [(-2, 1)]);
    assert_eq!(steps("rvN"), [(1, -2), (1, 2)]);
    assert_eq!(steps("rrN"), [(2, -1), (2, 1)]);
    assert_eq!(steps("vN"), [(-1, -2), (-1, 2), (1, -2), (1, 2)]);
    assert_eq!(steps("ffrrN"), [(-1, 2), (1, 2), (2, -1), (2, 1)]);
    assert_eq!(steps("hrN"), [(-2, 1), (-1, -2), (1, 2), (2, -1)]);
    assert_eq!(steps("hlN"), [(-2, -1), (-1, 2), (1, -2), (2, 1)]);
    assert_eq!(steps("fK"), [(0, 1)]);
    assert_eq!(steps("frK"), [(1, 1)]);
    assert_eq!(steps("fsK"), [(-1, 1), (1, 1)]);
    assert_eq!(steps("fhK"), [(-1, 1), (0, 1), (1, 1)]);
    assert_eq!(steps("ffrrK"), [(0, 1), (1, 0)]);
    assert_eq!(steps("vQ"), [(0, -1), (0, 1)]);
    for bad in ["hW", "fhF", "hK", "hN", "hfN"] {
        assert!(parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn modes() {
    let destroyer = one("mcdK");
    assert!(destroyer.quiet && destroyer.capture && destroyer.friendly);
    let friendly = one("dW");
    assert!(!friendly.quiet && !friendly.capture && friendly.friendly);
    let en_passant = one("eF");
    assert!(!en_passant.quiet && !en_passant.capture && en_passant.en_passant);
    // The double step of Berolina chess goes diagonally, and can be taken in passing too.
    assert!(one("imfnA").double && !one("imfD").double && !one("mfnD").double && !one("icfnD").double);
    let jump = one("jD");
    assert_eq!((jump.min, jump.max, jump.travel), (2, 2, Travel::Hop));
    assert_eq!(sorted(jump.steps), steps("W"));
    assert_eq!(one("nZ").legs[0], [(0, 1), (1, 2)]);
    assert_eq!(one("nH").legs[0], [(0, 1), (0, 2)]);
    // Each step of a lame rider has its own leg.
    assert_eq!((one("nNN").max, &one("nNN").legs[0][..]), (0, &[(0, 1)][..]));
    assert!(one("imfnW3").double);
    assert_eq!(one("nR").legs, vec![Vec::<Offset>::new(); 4]);
}

#[test]
fn what_is_not_supported_is_refused_in_words() {
    for (text, column, part) in [
        ("cacamK", 6, "move the same piece again"),
        ("mnaK", 2, "before an 'a'"),
        ("yF", 1, "before an 'a'"),
        ("arN", 2, "oblique"),
        ("RqN", 2, "yafsF"),
        ("zN0", 1, "'q' with knight-like"),
        ("tF", 1, "legs"),
        ("xN", 1, "way("),
        ("kW", 1, "in the rule"),
        ("KO2", 2, "declare castling"),
        ("L", 1, "C for a (1,3) leap"),
        ("mf", 3, "a capital"),
        ("", 1, "never moves"),
        ("pW", 2, "a longer movement"),
        ("pgR", 2, "only one of"),
        ("jN", 1, "remove 'j'"),
        ("mmW", 2, "a second"),
        ("(0,0)", 1, "1 to 15"),
        ("(1,99)", 1, "1 to 15"),
        ("R-B", 2, "a letter"),
        (&"WF".repeat(33), 65, "at most 64"),
        ("Wé", 2, "a letter"),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.column(), column, "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = parse(&text).map_err(|e| (e.render(), e.to_string()));
    }

    #[test]
    fn near_misses_are_read_or_refused(text in "[fblrvshmcdeinjpgoqzyaWFDNAHCZGKQRB0-9(),]{0,12}") {
        if let Ok(atoms) = parse(&text) {
            for atom in atoms {
                prop_assert!(!atom.steps.is_empty() || !atom.routes.is_empty());
                prop_assert_eq!(atom.steps.len(), atom.legs.len());
            }
        }
    }
}
