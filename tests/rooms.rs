//! No arrow runs back up: a room uses only what the table in CONTRIBUTING.md lets it use, and modules
//! that stand side by side do not use each other in a circle.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "what cannot be read is a failed test"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The place of a module or of something in it: `["show", "html", "chart"]`.
type Place = Vec<String>;

/// Reads which places each module of `src/` names.
fn uses() -> BTreeMap<Place, BTreeSet<Place>> {
    let mut found = BTreeMap::new();
    read_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &[], &mut found);
    // The root of the crate shows what the rooms hold.
    found.remove(&["lib".to_owned()][..]);
    found.remove(&["main".to_owned()][..]);
    found
}

fn read_folder(folder: &Path, at: &[String], found: &mut BTreeMap<Place, BTreeSet<Place>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let mut module = at.to_vec();
        module.extend(
            path.file_stem().filter(|stem| *stem != "mod").map(|s| s.to_str().unwrap().into()),
        );
        if path.is_dir() {
            read_folder(&path, &module, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code: Vec<&str> =
                text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            found.insert(module.clone(), named(&code.join("\n"), &module));
        }
    }
}

/// Finds the places that the code of `module` names, in a `use` or where it needs them. What a macro
/// names (`$crate::`) is left out: it is used where the macro is called.
fn named(code: &str, module: &[String]) -> BTreeSet<Place> {
    let mut trees = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            if !code[..at].ends_with(|c: char| c.is_alphanumeric() || "_:$".contains(c)) {
                read_tree(&code[at..], &[], &mut trees);
            }
        }
    }
    let from_root = |tree: Place| {
        let ups = tree.iter().take_while(|word| *word == "super").count();
        let base = if ups > 0 { &module[..module.len().saturating_sub(ups)] } else { &[] };
        base.iter().chain(&tree[ups.max(1)..]).cloned().collect()
    };
    trees.into_iter().map(from_root).collect()
}

/// Reads a tree of paths, `a::{b, c::d}`, behind the words `before`; returns what follows it.
fn read_tree<'t>(text: &'t str, before: &[String], found: &mut Vec<Place>) -> &'t str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (word, mut rest) = text.split_at(end);
    let mut path = before.to_vec();
    path.push(word.to_owned());
    if let Some(group) = rest.strip_prefix("::{") {
        rest = group.trim_start();
        while !rest.starts_with('}') {
            let behind = read_tree(rest, &path, found);
            // Nothing is read of `*`, and a new name behind `as` is none of a place.
            rest = behind.trim_start_matches(|c: char| c == '*' || c == ',' || c.is_whitespace());
        }
        return &rest[1..];
    }
    if let Some(next) = rest.strip_prefix("::") {
        return read_tree(next, &path, found);
    }
    found.push(path);
    rest
}

/// Reads the table of rooms: what each may use, in the order of the rows.
fn table() -> Vec<(String, Vec<String>)> {
    let text = include_str!("../CONTRIBUTING.md");
    let (_, rows) = text.split_once("| room | what it is for | uses |\n").unwrap();
    let rows = rows.lines().skip(1).take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [room, _, uses] = cells[..] else { panic!("no row of three: {line}") };
        let room = room.trim_matches('`').trim_end_matches('/').trim_end_matches(".rs");
        (room.to_owned(), uses.split('`').skip(1).step_by(2).map(str::to_owned).collect())
    };
    rows.map(row).collect()
}

#[test]
fn rooms_use_only_rooms_above_them() {
    let (table, uses) = (table(), uses());
    let rooms: BTreeSet<&str> = table.iter().map(|(room, _)| room.as_str()).collect();
    let folders: BTreeSet<&str> = uses.keys().map(|module| module[0].as_str()).collect();
    assert_eq!(folders, rooms, "left: src/; right: the table of rooms");
    let mut above = BTreeSet::new();
    let mut wrong = Vec::new();
    for (room, may) in &table {
        for other in may.iter().map(|other| other.split("::").next().unwrap()) {
            assert!(
                above.contains(other),
                "the row of {other} does not stand above that of {room}"
            );
        }
        above.insert(room.as_str());
        for (module, places) in uses.iter().filter(|(module, _)| module[0] == *room) {
            for place in places.iter().filter(|place| place[0] != *room) {
                let place = place.join("::");
                let is_in =
                    |other: &String| format!("{place}::").starts_with(&format!("{other}::"));
                let is_room = rooms.contains(place.split("::").next().unwrap());
                if is_room && !may.iter().any(is_in) {
                    wrong.push(format!("{} uses {place}", module.join("::")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "arrows that run back up: {wrong:#?}");
}

#[test]
fn modules_side_by_side_use_each_other_in_no_circle() {
    let uses = uses();
    let mut arrows: BTreeSet<(&[String], &[String])> = BTreeSet::new();
    for (module, place) in uses.iter().flat_map(|(from, to)| to.iter().map(move |to| (from, to))) {
        // The first modules that are not the same stand side by side.
        let same = module.iter().zip(place).take_while(|(a, b)| a == b).count();
        if let (Some(from), Some(to)) = (module.get(..=same), place.get(..=same))
            && uses.contains_key(to)
        {
            arrows.insert((from, to));
        }
    }
    // What leads nowhere, and what nothing leads to, is in no circle.
    loop {
        let goes_on = |(from, to): &(&[String], &[String])| {
            arrows.iter().any(|(next, _)| next == to) && arrows.iter().any(|(_, last)| last == from)
        };
        let left: BTreeSet<_> = arrows.iter().copied().filter(goes_on).collect();
        if left.len() == arrows.len() {
            break;
        }
        arrows = left;
    }
    let show = |(from, to): (&[String], &[String])| from.join("::") + " uses " + &to.join("::");
    let circles: Vec<String> = arrows.into_iter().map(show).collect();
    assert!(circles.is_empty(), "circles: {circles:#?}");
}
