"""Every golden output must fit schema/event.schema.json, and so closely that it has no key that the
schema does not name. Records that break the contract must be refused."""

import copy
import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "schema/event.schema.json").read_text())


def closed(schema):
    """The schema without its tolerance for keys that a later version may add."""
    schema = copy.deepcopy(schema)
    for part in [schema, *schema["$defs"].values()]:
        if "properties" in part:
            part.setdefault("additionalProperties", False)
    return schema


def part(name):
    return closed({**SCHEMA["$defs"][name], "$defs": SCHEMA["$defs"]})


Draft202012Validator.check_schema(SCHEMA)
WHOLE = Draft202012Validator(closed(SCHEMA))
PASSED_ON = Draft202012Validator(part("PassedOn"))
OPEN = Draft202012Validator(SCHEMA)


# The core keys by type.
CORE = {}
for branch in SCHEMA["oneOf"]:
    properties = SCHEMA["$defs"][branch["$ref"].rsplit("/", 1)[1]]["properties"]
    name = properties["payload"]["$ref"].rsplit("/", 1)[1]
    CORE.setdefault(properties["type"]["const"], set()).update(SCHEMA["$defs"][name]["required"])


def records(path):
    given = set(path.with_name("input.jsonl").read_bytes().split(b"\n"))
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        record = json.loads(line or b"{}")
        # Stored records without a source are passed on, whatever they are.
        is_foreign = path.parts[-3] == "agentnorm" and (line in given or "source" not in record)
        if line and not is_foreign:
            yield f"{path.relative_to(ROOT)}:{number}", record


def main():
    wrong, seen, count = [], {}, 0
    paths = sorted(ROOT.glob("fixtures/*/*/expected.jsonl"))
    for path in paths:
        protocol = path.parts[-3]
        for where, record in records(path):
            # What the jsonl protocol does not know becomes a raw of our own.
            is_ours = protocol != "jsonl" or record["type"] == "raw"
            validator = WHOLE if is_ours else PASSED_ON
            count += 1
            error = next(validator.iter_errors(record), None)
            if error is not None:
                wrong.append(f"{where}: {error.json_path}: {error.message[:300]}")
            seen.setdefault(record["type"], record)
    for name, record in broken(seen):
        if OPEN.is_valid(record):
            wrong.append(f"the schema takes a record with {name}")
    later = copy.deepcopy(seen["message"])
    later["payload"]["addedLater"] = later["addedLater"] = 1
    if not OPEN.is_valid(later):
        wrong.append("the schema refuses keys that a later version may add")
    for missing in set(CORE) - set(seen):
        wrong.append(f"no fixture has a {missing}")
    print(*wrong[:20], sep="\n", end="\n" if wrong else "")
    print(f"jsonschema: {count} records of {len(paths)} golden outputs, {len(wrong)} wrong")
    return 1 if wrong else 0


def broken(seen):
    """Records that are nearly right."""
    for kind, record in seen.items():
        for key in CORE[kind]:
            less = copy.deepcopy(record)
            if less["payload"].pop(key, None) is not None:
                yield f"no {key} in {kind}", less
        unknown = copy.deepcopy(record)
        unknown["type"] = kind + "s"
        yield f"type {unknown['type']}", unknown
    message = seen["message"]
    for key, value in [("text", 1), ("truncated", None), ("synthetic", False), ("attachments", None)]:
        bad = copy.deepcopy(message)
        bad["payload"][key] = value
        yield f"{key}: {value!r} in message", bad
    yield "line 0", {**message, "line": 0}
    yield "no payload", {"type": "message"}


if __name__ == "__main__":
    sys.exit(main())
