//! When things happened.

use crate::export::session::Session;

/// Returns a time for each item, in milliseconds since 1970; `None` where no item states one.
///
/// An item that states none is as late as what its agent did before. No item is before an earlier one
/// of its agent. The agents' lines may come one agent after the other, so they have their own clocks.
pub(super) fn times(session: &Session, no_time: bool) -> Option<Vec<i64>> {
    let Some(began) = session.began() else {
        return no_time.then(|| (1..).take(session.items.len()).collect());
    };
    let mut clocks: Vec<Option<i64>> = vec![None; session.agents.len()];
    let mut last = began;
    let mut times = Vec::with_capacity(session.items.len());
    for item in &session.items {
        let Some(clock) = clocks.get_mut(item.agent) else { continue };
        let time = item.time.unwrap_or_else(|| clock.unwrap_or(last));
        last = clock.map_or(time, |clock| clock.max(time));
        *clock = Some(last);
        times.push(last);
    }
    Some(times)
}
