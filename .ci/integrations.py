"""Runs the hook of .pre-commit-hooks.yaml with pre-commit, the shell steps of action.yml, and the commands of
examples/backend/README.md.

The arguments are the tool, and the folder in which the action and the commands install programs. pre-commit and its
dependency PyYAML are those of the interpreter that runs this script. The configuration of the hook is
the one that docs/inline.md shows."""

import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import time

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSION = subprocess.check_output([sys.executable, ROOT / ".ci/release.py", "version"], text=True).strip()
# This script runs on x86_64 Linux.
ARCHIVE = f"genvisa-{VERSION}-x86_64-unknown-linux-musl"
TOOL, INSTALLED = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])

GOOD = 'void f(int x) { int y; asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x)); }\n'
# The region of the source is missing.
BAD = GOOD.replace("<1;1,0>", "")


def run(*command, cwd, status=0, **variables):
    """Runs a command, checks its exit code, and returns what it prints."""
    result = subprocess.run(command, cwd=cwd, env={**os.environ, **variables}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert result.returncode == status, f"{command}: {result.returncode}\n{result.stdout}"
    return result.stdout


def documented(word):
    """Returns the YAML in docs/inline.md that contains a word."""
    blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/inline.md").read_text(), re.DOTALL)
    [block] = [block for block in blocks if word in block]
    return block


def suffixes():
    """Checks that the hook is for the suffixes that the tool knows."""
    files = (ROOT / "crates/inline/src/source/mod.rs").read_text()
    [known] = re.findall(r"C_SUFFIXES: .*?\[(.*?)\];", files, re.DOTALL)
    arms = re.findall(r"^(.*) => Some\(Language", files, re.MULTILINE)
    known = re.findall(r'"(\w+)"', known + "".join(arms))
    [definition] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert sorted(re.findall(r"\w+", definition["files"])) == sorted(known), known


def releases(folder):
    """Makes a place of releases as it is on GitHub, with the tool, and returns its URL."""
    place = folder / "releases" / f"v{VERSION}"
    place.mkdir(parents=True, exist_ok=True)
    program = f'#!/bin/sh\nexec "{TOOL}" "$@"\n'.encode()
    with tarfile.open(place / f"{ARCHIVE}.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo(f"{ARCHIVE}/genvisa")
        entry.size, entry.mode = len(program), 0o755
        archive.addfile(entry, io.BytesIO(program))
    digest = hashlib.sha256((place / f"{ARCHIVE}.tar.gz").read_bytes()).hexdigest()
    (place / "SHA256SUMS").write_text(f"{digest}  {ARCHIVE}.tar.gz\n")
    return f"file://{folder}/releases"


def damaged(folder):
    """Checks that a program without the checksum of its release is not installed."""
    url = releases(folder)
    sums = folder / "releases" / f"v{VERSION}" / "SHA256SUMS"
    sums.write_text(sums.read_text()[::-1])
    output = run(str(ROOT / ".ci/install-tool"), str(folder / "damaged"), cwd=folder, status=1, GENVISA_RELEASES=url)
    assert "does not have the checksum of its release" in output, output
    assert not (folder / "damaged/bin/genvisa").exists()


def hook(folder):
    """Runs the hook as a user's repository does."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    # The hooks of the working tree, committed or not.
    hooks = folder / "hooks"
    (hooks / ".ci").mkdir(parents=True)
    for name in ["Cargo.toml", ".pre-commit-hooks.yaml", ".ci/pre-commit-hook", ".ci/install-tool"]:
        (hooks / name).write_bytes((ROOT / name).read_bytes())
        (hooks / name).chmod((ROOT / name).stat().st_mode)
    user = folder / "user"
    user.mkdir()
    (user / "good.cl").write_text(GOOD)
    (user / "notes.txt").write_text(BAD)
    for repository in [hooks, user]:
        run("git", "init", "--quiet", cwd=repository)
        run("git", "add", ".", cwd=repository)
    run(*git, "commit", "--quiet", "--message", "Add hooks", cwd=hooks)
    config = yaml.safe_load("repos:\n" + documented("genvisa-check"))
    [repository] = config["repos"]
    repository["repo"] = str(hooks)
    repository["rev"] = run("git", "rev-parse", "HEAD", cwd=hooks).strip()
    (user / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))

    command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--verbose"]
    variables = {"GENVISA_RELEASES": releases(folder), "PRE_COMMIT_HOME": str(folder / "cache")}
    output = run(*command, cwd=user, **variables)
    assert "1 file, 1 block" in output and "1 checked" in output.replace("0 checked in part", ""), output
    (user / "bad.cuh").write_text(BAD)
    run("git", "add", "bad.cuh", cwd=user)
    output = run(*command, cwd=user, status=1, **variables)
    assert "error[syntax]" in output and "bad.cuh:1:" in output, output


def steps(inputs, status, workspace, temporary):
    """Runs the shell steps of the action, and returns the outputs of the last one."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    values = {name: one["default"] for name, one in action["inputs"].items()}
    assert set(inputs) <= set(values)
    values |= inputs
    known = {f"inputs.{name}": value for name, value in values.items()}
    known["github.action_path"] = str(ROOT)

    def evaluate(text):
        return re.sub(r"\$\{\{ *([^ ]+) *\}\}", lambda match: known[match[1]], text)

    output = temporary / "output"
    output.write_text("")
    shell = [step for step in action["runs"]["steps"] if "run" in step]
    for step in shell:
        variables = {name: evaluate(value) for name, value in step["env"].items()}
        variables |= {"RUNNER_TEMP": str(temporary), "GITHUB_OUTPUT": str(output)}
        # There is no release, so the tool is built.
        variables["GENVISA_RELEASES"] = f"file://{temporary}/none"
        # As GitHub runs `shell: bash`.
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", evaluate(step["run"])]
        run(*command, cwd=workspace, status=status if step is shell[-1] else 0, **variables)
    # Each output is `name<<delimiter`, its value, and the delimiter in a line of its own.
    outputs = re.findall(r"^(.*?)<<(.*)\n((?:.|\n)*?)\n\2$", output.read_text(), re.MULTILINE)
    return {name: value for name, _, value in outputs}


def action(folder):
    """Runs the action on files with and without findings."""
    workspace = folder / "workspace"
    workspace.mkdir()
    (workspace / "good.cl").write_text(GOOD)
    INSTALLED.mkdir(parents=True, exist_ok=True)

    def results(log):
        return json.loads((workspace / log).read_text())["runs"][0]["results"]

    assert steps({"lanes": "16"}, 0, workspace, INSTALLED) == {"sarif": "genvisa.sarif"}
    assert results("genvisa.sarif") == []
    (workspace / "bad").mkdir()
    (workspace / "bad/bad.cl").write_text(BAD)
    inputs = {"paths": "good.cl bad", "platform": "PVC Xe2", "args": "--deny warnings", "sarif": "b.sarif"}
    assert steps(inputs, 1, workspace, INSTALLED) == {"sarif": "b.sarif"}
    [result] = results("b.sarif")
    assert result["ruleId"] == "syntax"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "bad/bad.cl" and place["region"]["startLine"] == 1
    # The inputs are not interpreted by the shell.
    steps({"paths": "$(touch injected) good.cl"}, 2, workspace, INSTALLED)
    assert not (workspace / "injected").exists()
    # The documentation uses inputs that exist.
    [used] = yaml.safe_load(documented("/genvisa@"))
    assert set(used["with"]) <= set(yaml.safe_load((ROOT / "action.yml").read_text())["inputs"])


def release(folder):
    """Prepares a release in a clone."""
    clone = folder / "release"
    run("git", "clone", "--quiet", str(ROOT), str(clone), cwd=folder)
    script = [sys.executable, ".ci/release.py"]
    assert "CHANGELOG.md has no section for 9.8.7" in run(*script, "check", "9.8.7", cwd=clone, status=1)
    run(*script, "prepare", "9.8.7", "--owner", "someone", cwd=clone)
    run(*script, "check", "9.8.7", cwd=clone)
    assert "9.8.7" in run("cargo", "tree", "--locked", "-p", "genvisa-cli", cwd=clone)
    # The next ones.
    run(*script, "prepare", "9.9.0-dev", cwd=clone)
    run(*script, "prepare", "9.9.0", cwd=clone)
    assert "someone/genvisa@v9.9.0" in (clone / "docs/inline.md").read_text()


def backend(folder):
    """Follows the page of the example of a backend in a clone, and its configuration of the action and the hook."""
    clone = folder / "genvisa"
    run("git", "clone", "--quiet", str(ROOT), str(clone), cwd=folder)
    example = clone / "examples/backend"
    programs = INSTALLED / "programs"
    variables = {"CARGO_INSTALL_ROOT": str(programs), "PATH": f"{programs / 'bin'}:{os.environ['PATH']}"}
    blocks = re.findall(r"```sh\n(.*?)```", (example / "README.md").read_text(), re.DOTALL)
    for command in "".join(blocks).splitlines():
        started = time.monotonic()
        run("bash", "-c", command, cwd=example, **variables)
        print(f"{time.monotonic() - started:5.0f} s  {command}")
    workflow = yaml.safe_load((example / ".github/workflows/ci.yml").read_text())
    [used] = [step for step in workflow["jobs"]["inline-visa"]["steps"] if "/genvisa@" in step["uses"]]
    assert steps(used["with"], 0, example, INSTALLED) == {"sarif": "genvisa.sarif"}
    config = yaml.safe_load((example / ".pre-commit-config.yaml").read_text())
    assert config["repos"] == yaml.safe_load(documented("genvisa-check"))


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    suffixes()
    damaged(folder)
    hook(folder)
    print("the hook of pre-commit installs the tool of a release, and checks files")
    release(folder)
    print("a release can be prepared")
    action(folder)
    print("the shell steps of the action write a log; not tried: uploading it")
    backend(folder)
