use super::*;
use crate::rules::query::Query;

/// Answers of all sorts: no and yes, those of a dense list, a gap in it, and those that turn it into a sparse one.
const ANSWERS: [Answer; 8] = [0, 1, 2, 9, 5, -1, 1_000_000, 3];

/// A tree in which the same question is asked twice, with the same end behind each pair of answers.
fn grown() -> Tree {
    let mut tree = Tree::of_hook(Hook::Turn, 0).kept();
    for first in ANSWERS {
        for second in ANSWERS {
            let steps = vec![Step::Ask(Query::Round), Step::Ask(Query::Round), Step::Return(0)];
            tree.insert_run(steps, &[first, second]).expect("runs agree");
        }
    }
    tree
}

/// Where two answers lead from the root.
fn end(tree: &Tree, first: Answer, second: Answer) -> NodeId {
    tree.next(tree.next(NodeId::ROOT, first), second)
}

#[test]
fn each_answer_leads_to_a_node_of_its_own_and_back() {
    let tree = grown();
    assert_eq!(tree.len(), 1 + ANSWERS.len() + ANSWERS.len() * ANSWERS.len());
    for first in ANSWERS {
        for second in ANSWERS {
            assert_eq!(tree.path(end(&tree, first, second)), [first, second]);
            assert!(tree.knows(&[first, second]));
        }
    }
    assert_eq!(tree.ways(NodeId::ROOT), ANSWERS.len());
    for unknown in [4, 8, 10, -2, 511, 512] {
        assert_eq!(tree.next(NodeId::ROOT, unknown), NodeId::NONE);
    }
}

#[test]
fn a_step_is_kept_once_however_many_nodes_have_it() {
    let tree = grown();
    assert_eq!(tree.steps.len(), 2, "one question and one end");
    let ends = tree.nodes.iter().filter(|node| matches!(*node.step, Step::Return(_)));
    assert!(ends.clone().all(|node| Arc::ptr_eq(&node.step, &ends.clone().next().expect("an end").step)));
    let nodes = tree.nodes.capacity() * size_of::<Node>();
    assert!(tree.bytes() > nodes && tree.bytes() < nodes * 2, "{} bytes, {nodes} of them nodes", tree.bytes());
}

#[test]
fn copies_catch_up_with_steps_of_their_own() {
    let original = grown();
    let mut copy = Tree::of_hook(Hook::Turn, 0).kept();
    copy.catch_up(&original);
    assert_eq!(copy.len(), original.len());
    for node in original.nodes() {
        assert_eq!(copy.path(node), original.path(node));
        assert_eq!(copy.mark(node), original.mark(node));
        assert_eq!(copy.step(node), original.step(node));
        assert!(!std::ptr::eq(copy.step(node), original.step(node)), "counts of uses are not handed to and fro");
    }
}

#[test]
fn lists_grow_by_an_eighth() {
    let tree = grown();
    assert!(tree.nodes.capacity() <= tree.len() + tree.len() / 8 + 1);
}

#[test]
fn a_run_that_differs_for_the_same_answers_is_refused() {
    let mut tree = grown();
    let steps = vec![Step::Ask(Query::Round), Step::Ask(Query::Clock)];
    assert!(tree.insert_run(steps, &[0]).is_err());
}
