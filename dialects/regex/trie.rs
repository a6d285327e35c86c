//! Alternatives whose beginnings are the same share them, so that hundreds of words are a tree and not a list.
//!
//! **The order of the alternatives is kept.** A later one joins an earlier one where nothing between them in the order
//! can match what it matches: bytes that are in neither's set. Where an alternative ends, what comes after it in the
//! order is another branch, as `a` is of `a|ab`: it counts when what follows the first fails.

use super::bytes::ByteSet;
use super::nfa::{Nfa, Place};
use super::syntax::Node;

/// A way on from a node of the tree.
enum Branch<'p> {
    /// A byte, to the node with this number.
    Byte(ByteSet, usize),
    /// What is left of an alternative, nothing at its end.
    Rest(&'p [Node]),
}

/// Branches of one node, in their order.
type Branches<'p> = Vec<Branch<'p>>;

/// Where the first of the alternatives begins that leads to a match, with `next` behind each; `None` where the graph
/// becomes too large.
pub fn alternatives(nfa: &mut Nfa, parts: &[Node], next: usize) -> Option<usize> {
    let mut tree: Vec<Branches> = vec![Vec::new()];
    for part in parts {
        let sequence = if let Node::Concat(parts) = part { parts } else { std::slice::from_ref(part) };
        insert(&mut tree, sequence);
    }
    // Nodes have larger numbers than where they branch off.
    let mut places = vec![next; tree.len()];
    for (number, branches) in tree.iter().enumerate().rev() {
        let mut ways = Vec::new();
        let mut branches = branches.iter().peekable();
        while let Some(branch) = branches.next() {
            let way = match branch {
                Branch::Rest(rest) => nfa.sequence(rest, next)?,
                Branch::Byte(set, node) => {
                    let mut bytes = vec![(*set, places[*node])];
                    while let Some(Branch::Byte(set, node)) = branches.peek()
                        && bytes.iter().all(|(other, _)| other.intersection(*set).is_empty())
                    {
                        bytes.push((*set, places[*node]));
                        branches.next();
                    }
                    nfa.push(Place::Byte(bytes))?
                }
            };
            ways.push(way);
        }
        places[number] = match ways[..] {
            [way] => way,
            _ => nfa.push(Place::Split(ways))?,
        };
    }
    places.first().copied()
}

fn insert<'p>(tree: &mut Vec<Branches<'p>>, sequence: &'p [Node]) {
    let mut at = 0;
    for (taken, part) in sequence.iter().enumerate() {
        let Node::Byte(set) = part else {
            tree[at].push(Branch::Rest(&sequence[taken..]));
            return;
        };
        at = match joined(&tree[at], *set) {
            Some(node) => node,
            None => {
                let node = tree.len();
                tree[at].push(Branch::Byte(*set, node));
                tree.push(Vec::new());
                node
            }
        };
    }
    tree[at].push(Branch::Rest(&[]));
}

/// The last branch of the same bytes, unless one behind it may match the same.
fn joined(branches: &Branches, set: ByteSet) -> Option<usize> {
    for branch in branches.iter().rev() {
        match branch {
            Branch::Byte(known, node) if *known == set => return Some(*node),
            Branch::Byte(known, _) if known.intersection(set).is_empty() => {}
            _ => return None,
        }
    }
    None
}
