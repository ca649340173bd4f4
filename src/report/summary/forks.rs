//! Forks: sessions whose total goes on from another one's.
//!
//! The first total of a fork is its parent's and what its own calls sent. Where the parent is among the
//! sessions, its part is left out of the fork, so that it counts once; where it is not, the part stays.

use std::collections::BTreeMap;

use super::session::Session;
use super::spending::Spent;

/// Leaves out of each fork what its parent spent.
pub(super) fn leave_out<'s>(sessions: impl Iterator<Item = &'s mut Session>) {
    let mut sessions: Vec<&mut Session> = sessions.collect();
    let carried = |session: &&mut Session| session.carried();
    if !sessions.iter().any(|session| carried(session).is_some()) {
        return;
    }
    // What each session had spent whenever it stated a total.
    let mut points: BTreeMap<[u64; 3], Vec<(usize, Spent)>> = BTreeMap::new();
    for (at, session) in sessions.iter().enumerate() {
        for spent in session.points() {
            points.entry(spent.stated.sent()).or_default().push((at, spent));
        }
    }
    for (at, session) in sessions.iter_mut().enumerate() {
        let Some(known) = session.carried().and_then(|carried| points.get(&carried)) else {
            continue;
        };
        // A resumed session carries on what it spent itself.
        if known.iter().any(|(of, _)| *of == at) {
            continue;
        }
        if let Some((_, spent)) = known.first() {
            session.inherited = Some(spent.clone());
        }
    }
}
