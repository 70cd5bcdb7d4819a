//! What `check` says about moves that enter a track. The moves along tracks are tested in `plays/tracks.play`.

/// The `from` of a move that enters is its `to`; `check` says so if a script takes it for the station before the first.
#[test]
fn check_tells_that_an_entering_move_begins_nowhere() {
    let told = |first: &str| {
        let text = format!(
            "title(\"Race\"); board(8, 1); sides([\"White\", \"Black\"]); piece(\"man\", \"M\", \"mW\"); hands(\"owner\");
             track(\"way\", [\"a1-h1\", \"h1-a1\"]); setup(\"M6m[Mm] w\");
             fn turn() {{
                 let n = roll(\"1d2\");
                 let moves = enter(\"way\", n) | along(\"way\", n);
                 play(moves.where(|mv| (on_track(\"way\", {first}, place_on(\"way\", mv.to)) & squares_of(mover())).is_empty));
             }}
             fn outcome() {{ if round() > 30 {{ draw(\"long\"); }} }}"
        );
        let source = astragal_dsl::Source { name: "race".into(), path: None, text };
        let found = astragal_dsl::check(&source);
        let from = found.into_iter().filter(|one| one.message.contains("`from`"));
        from.map(|one| (one.line, one.message)).collect::<Vec<_>>()
    };
    let wrong = told("place_on(\"way\", mv.from) + 1");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].0 == 6 && wrong[0].1.contains("`from` equals `to`"), "{wrong:?}");
    assert_eq!(told("if mv.is_drop { 1 } else { place_on(\"way\", mv.from) + 1 }"), []);
}
