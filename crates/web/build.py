#!/usr/bin/env python3
"""Builds the package for npm and the page.

Compiles the tool for wasm32-wasip1: `genvisa.wasm` with all commands for the package, and for the page a module without
the interpreter, which loads first. With wasm-opt, both become smaller. Writes the page to `dist/`. The parser of Python
needs clang and wasi-libc; without Debian's packages, CC_wasm32_wasip1 and CFLAGS_wasm32_wasip1 state where they are.
"""

import argparse
import base64
import hashlib
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess

WEB = pathlib.Path(__file__).parent
ROOT = WEB.parents[1]
TARGET = "wasm32-wasip1"
# Without the interpreter, and with it.
SMALL = "extract,inline,python,report"
ALL = SMALL + ",run,png"
EXAMPLES = [
    "tests/data/dot.visaasm",
    "tests/data/tour.isa",
    "tests/data/inline/mistakes.cl",
    "tests/data/inline/triton.py",
    "tests/data/inline/scale.mlir",
    "crates/interp/tests/data/scale-bmg.bin",
]
# A library with this .isa file, as media drivers have them.
LIBRARY = ("libdriver.so", "tests/data/tour.isa")


# The parser of Python is C.
HEADERS = "/usr/include/wasm32-wasi"
COMPILER = {
    "CC_wasm32_wasip1": "clang",
    "CFLAGS_wasm32_wasip1": f"--target=wasm32-wasi -nostdlibinc -isystem {HEADERS}",
}


def compile_tool(features, output, profile, is_reduced):
    """Compiles the tool with some features."""
    # The interpreter and the parser need more than the default of one megabyte.
    flags = os.environ.get("RUSTFLAGS", "") + " -C link-arg=-zstack-size=8388608"
    subprocess.run(
        ["cargo", "build", "--quiet", "--profile", profile, "--target", TARGET, "--package", "genvisa-cli",
         "--no-default-features", "--features", features],
        cwd=ROOT, check=True, env=COMPILER | os.environ | {"RUSTFLAGS": flags},
    )
    folder = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = folder / TARGET / ("debug" if profile == "dev" else profile) / "genvisa.wasm"
    if is_reduced and shutil.which("wasm-opt"):
        # What rustc uses.
        enabled = ["bulk-memory", "nontrapping-float-to-int", "sign-ext", "mutable-globals", "reference-types",
                   "multivalue"]
        subprocess.run(
            ["wasm-opt", "-Oz", *(f"--enable-{one}" for one in enabled), built, "-o", output], check=True
        )
    else:
        shutil.copy(built, output)


def shared_library(data):
    """Returns a shared library of ELF with a section of read-only data."""
    names = b"\0.rodata\0.shstrtab\0"
    start, end = 64, 64 + len(data)
    table = (end + len(names) + 7) // 8 * 8
    header = b"\x7fELF\2\1\1".ljust(16, b"\0")
    header += struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, table, 0, 64, 0, 0, 64, 3, 2)

    def section(name, kind, flags, offset, size):
        return struct.pack("<IIQQQQIIQQ", name, kind, flags, 0, offset, size, 0, 0, 1, 0)

    sections = [bytes(64), section(1, 1, 2, start, len(data)), section(9, 3, 0, end, len(names))]
    return (header + data + names).ljust(table, b"\0") + b"".join(sections)


def printed(module, *command):
    """Returns what a module prints."""
    program = f"import {{ load }} from './lib/index.js'; import {{ readFile }} from 'node:fs/promises';" \
        f"const g = await load(await readFile({json.dumps(str(module))}));" \
        f"const f = {{ 'tests/data/tour.isa': await readFile('../../tests/data/tour.isa') }};" \
        f"const a = await g.run({json.dumps(command)}, f); process.stdout.write(a.output);"
    return subprocess.run(["node", "--input-type=module", "-e", program], cwd=WEB, check=True, capture_output=True,
                          text=True).stdout


def commands(module):
    """Returns the commands of a module."""
    return set(re.findall(r"^  ([a-z]+)  ", printed(module, "--help").split("\nOptions:")[0], re.M))


def hashes(tag):
    """Returns the hashes of the scripts or styles in the pages that the tool writes, for the policy."""
    found = []
    for command in (["explain", "--html", "-", "tests/data/tour.isa"], ["report", "-o", "-", "tests/data/tour.isa"],
                    ["isa", "--html", "-"]):
        for text in re.findall(rf"<{tag}>(.*?)</{tag}>", printed(WEB / "genvisa.wasm", *command), re.S):
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            found.append(f"'sha256-{digest}'")
    return " ".join(dict.fromkeys(found))


def bundle(dist):
    """Bundles the editor with its packages, whose licences the page contains with that of the shim."""
    used = dist / "used.json"
    subprocess.run(
        ["node_modules/.bin/esbuild", "site/editor.js", "--bundle", "--minify", "--format=esm", "--log-level=warning",
         "--allow-overwrite", f"--metafile={used}", f"--outfile={dist / 'editor.js'}"],
        cwd=WEB, check=True,
    )
    files = re.findall(r"node_modules/((?:@[^/]+/)?[^/]+)/", " ".join(json.loads(used.read_text())["inputs"]))
    used.unlink()
    texts = []
    for package in sorted({*files, "@bjorn3/browser_wasi_shim"}):
        licences = sorted((WEB / "node_modules" / package).glob("LICEN[CS]E*"))
        assert licences, package
        texts.append("\n".join([package, *(path.read_text() for path in licences)]))
    (dist / "licences.txt").write_text("\n\n".join(texts))


def build(profile, is_reduced):
    """Builds everything."""
    dist = WEB / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    shutil.copytree(WEB / "site", dist)
    (dist / "genvisa").mkdir()
    compile_tool(ALL, WEB / "genvisa.wasm", profile, is_reduced)
    shutil.copy(WEB / "genvisa.wasm", dist / "genvisa-run.wasm")
    compile_tool(SMALL, dist / "genvisa.wasm", profile, is_reduced)
    others = commands(dist / "genvisa-run.wasm") - commands(dist / "genvisa.wasm")
    assert "run" in others, others
    worker = (dist / "worker.js").read_text()
    (dist / "worker.js").write_text(worker.replace("@LARGE@", " ".join(sorted(others))))
    # A page without a bundler names files, not packages.
    library = (WEB / "lib/index.js").read_text()
    shim = "@bjorn3/browser_wasi_shim"
    assert f"'{shim}'" in library
    (dist / "genvisa/index.js").write_text(library.replace(f"'{shim}'", "'../wasi/index.js'"))
    shutil.copytree(WEB / "node_modules" / shim / "dist", dist / "wasi", ignore=shutil.ignore_patterns("*.d.ts", "*.map"))
    (dist / "examples").mkdir()
    for path in EXAMPLES:
        shutil.copy(ROOT / path, dist / "examples")
    name, contents = LIBRARY
    (dist / "examples" / name).write_bytes(shared_library((ROOT / contents).read_bytes()))
    names = [*(pathlib.Path(path).name for path in EXAMPLES), name]
    (dist / "examples/index.json").write_text(json.dumps(names))
    bundle(dist)
    page = (dist / "index.html").read_text()
    page = page.replace("@SCRIPTS@", hashes("script")).replace("@STYLES@", hashes("style"))
    (dist / "index.html").write_text(page)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", default="web", help="the cargo profile: web, or dev, which compiles faster")
    parser.add_argument("--no-wasm-opt", action="store_true", help="do not reduce the modules")
    arguments = parser.parse_args()
    build(arguments.profile, not arguments.no_wasm_opt)
