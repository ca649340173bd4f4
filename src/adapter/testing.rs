//! What an adapter makes of lines, for the tests beside it.

use serde_json::Value;

use super::{Adapter, Protocol};
use crate::format::batch::Batch;
use crate::format::event::EventType;
use crate::json::Doc;

/// An event, and the number of the line that caused it.
#[derive(Debug, PartialEq)]
pub(super) struct Told {
    pub(super) line: u64,
    pub(super) kind: EventType,
    pub(super) payload: Value,
}

/// Reads `lines`, which are records, and the end of the stream behind them.
pub(super) fn read(protocol: Protocol, lines: &[&str]) -> Vec<Told> {
    let mut adapter = Adapter::new(protocol);
    let mut batch = Batch::new(0, true);
    let mut doc = Doc::default();
    let mut told = Vec::new();
    for (line, text) in (1..).zip(lines) {
        let record = doc.parse(text).filter(|record| record.is_object());
        let record = record.expect("a test passes records");
        batch.clear();
        adapter.record(record, &mut batch);
        if !batch.is_handled() {
            batch.raw(record);
        }
        collect(line, &batch, &mut told);
    }
    batch.clear();
    adapter.finish(&mut batch);
    collect(lines.len() as u64, &batch, &mut told);
    told
}

/// Reads `lines` and leaves out what was not mapped.
pub(super) fn mapped(protocol: Protocol, lines: &[&str]) -> Vec<Told> {
    let mut told = read(protocol, lines);
    told.retain(|told| told.kind != EventType::Raw);
    told
}

fn collect(line: u64, batch: &Batch, told: &mut Vec<Told>) {
    told.extend(batch.events().map(|(kind, payload, _)| Told {
        line,
        kind,
        payload: serde_json::from_slice(payload).expect("payloads are JSON"),
    }));
}
