"""What `export` writes of every fixture, read by classes that are not ours: opentelemetry-proto's for
traces, Harbor's models for trajectories. Arguments: the program, and the folder that holds Harbor's
wheel unpacked (Harbor as a whole wants a newer Python and much else; its models want pydantic)."""

import base64
import json
import subprocess
import sys
import types
from pathlib import Path

from google.protobuf.json_format import ParseDict
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

PROGRAM, HARBOR = sys.argv[1:]
ROOT = Path(__file__).resolve().parents[2]

# The packages' own `__init__` would import all of Harbor.
for name in ("harbor", "harbor.models"):
    package = types.ModuleType(name)
    package.__path__ = [str(Path(HARBOR, *name.split(".")))]
    sys.modules[name] = package
from harbor.models.trajectories import Trajectory  # noqa: E402


def export(path, *options):
    command = [PROGRAM, "export", *options, path]
    run = subprocess.run(command, capture_output=True, check=False)
    assert run.returncode in (0, 1), (command, run.returncode, run.stderr)
    assert run.returncode == 0 or run.stderr, (command, "no word")
    return run.stdout.decode().split("\n")[:-1]


def base64_ids(value):
    """OTLP/JSON writes ids in hexadecimal, JSON of protobuf in base64."""
    if isinstance(value, list):
        return [base64_ids(item) for item in value]
    if not isinstance(value, dict):
        return value
    ids = ("traceId", "spanId", "parentSpanId")
    encode = lambda text: base64.b64encode(bytes.fromhex(text)).decode()  # noqa: E731
    return {k: encode(v) if k in ids else base64_ids(v) for k, v in value.items()}


def check_trace(line):
    data = ParseDict(base64_ids(json.loads(line)), TracesData())
    spans = [s for r in data.resource_spans for c in r.scope_spans for s in c.spans]
    ids = {s.span_id for s in spans}
    assert len(ids) == len(spans) and all(len(i) == 8 for i in ids), "ids"
    assert len({s.trace_id for s in spans}) == 1 and len(spans[0].trace_id) == 16, "trace"
    assert [s for s in spans if not s.parent_span_id] == spans[:1], "one root, which is the first"
    assert all(s.parent_span_id in ids for s in spans[1:]), "parents"
    assert all(0 < s.start_time_unix_nano <= s.end_time_unix_nano for s in spans), "times"
    return len(spans)


def check_refs(trajectory):
    """Each agent that is referred to is embedded, as the format has it."""
    embedded = {sub.trajectory_id for sub in trajectory.subagent_trajectories or []}
    for step in trajectory.steps:
        for result in step.observation.results if step.observation else []:
            for ref in result.subagent_trajectory_ref or []:
                assert ref.trajectory_id in embedded, "reference"
    return 1 + sum(check_refs(sub) for sub in trajectory.subagent_trajectories or [])


streams = sorted(str(path) for path in ROOT.glob("fixtures/*/*/input*"))
assert streams
traces = spans = documents = trajectories = steps = 0
wrong = []
for path in streams:
    try:
        for line in export(path, "--to", "otlp", "--content", "--no-time"):
            traces, spans = traces + 1, spans + check_trace(line)
        for line in export(path, "--to", "atif", "--prompt", "What was asked."):
            trajectory = Trajectory.model_validate_json(line)
            documents, steps = documents + 1, steps + len(trajectory.steps)
            trajectories += check_refs(trajectory)
        for line in export(path, "--to", "atif"):
            check_refs(Trajectory.model_validate_json(line))
    except Exception as error:  # noqa: BLE001
        wrong.append(f"{path}: {error!r}"[:500])
print("\n".join(wrong))
print(f"{len(streams)} streams: {traces} traces of {spans} spans; {documents} documents of "
      f"{trajectories} trajectories, {steps} steps; {len(wrong)} streams are wrong")
sys.exit(bool(wrong))
