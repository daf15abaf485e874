"""Checks the licences of the dependencies of the library and the tool, without those of the tests.

Reads the output of `cargo metadata` and fails if a licence is not in the list of deny.toml. `.ci/run` uses this
where cargo-deny is not installed, which checks more."""

import json
import pathlib
import sys
import tomllib

POLICY = pathlib.Path(__file__).resolve().parent.parent / "deny.toml"
ALLOWED = set(tomllib.loads(POLICY.read_text())["licenses"]["allow"])

metadata = json.load(sys.stdin)
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
reached, todo = set(), list(metadata["workspace_default_members"])
while todo:
    package = todo.pop()
    if package in reached:
        continue
    reached.add(package)
    for dependency in nodes[package]["deps"]:
        if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
            todo.append(dependency["pkg"])


def is_allowed(expression):
    """Returns whether an alternative of an SPDX expression has allowed licences only."""
    flat = expression.replace("(", "").replace(")", "").replace("/", " OR ")
    return any(all(part.strip() in ALLOWED for part in choice.split(" AND "))
               for choice in flat.split(" OR "))


names = {packages[package]["name"]: packages[package]["license"] or "none" for package in reached}
refused = {name: licence for name, licence in names.items() if not is_allowed(licence)}
for name, licence in sorted(refused.items()):
    print(f"{name}: {licence}")
print(f"{len(names)} packages, {len(refused)} with a licence that is not allowed")
sys.exit(bool(refused))
