"""Prepares a release, and builds its parts.

release.py prepare VERSION       states a version everywhere; with --owner OWNER also the owner of the repository on GitHub
release.py check VERSION         fails unless that is done, and the changelog describes the version
release.py version               prints the version
release.py rehearse FOLDER       builds every part of a release from a clone of the last commit, tries each as a user
                                 would install it, and prints a table with their sizes and hashes
release.py toolchain             prints the version of Rust that builds releases
release.py build TARGET FOLDER   builds the checkout and writes genvisa-VERSION-TARGET.tar.gz to FOLDER
release.py twice TARGET FOLDER   builds the last commit in two places, fails if the archives differ, and
                                 writes the archive to FOLDER
release.py sbom TARGET FOLDER    writes genvisa-VERSION-TARGET.cdx.json, the packages that the binary of the last
                                 commit is made of, to FOLDER (needs cargo-cyclonedx)

Others can build the same archive. It is a .zip for Windows. TARGET must run on this machine, because the tool prints its man pages and
completions."""

import argparse
import datetime
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

import packages

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOLCHAIN = "1.95.0"
SHELLS = {"bash": "genvisa.bash", "elvish": "genvisa.elv", "fish": "genvisa.fish", "powershell": "_genvisa.ps1",
          "zsh": "_genvisa"}
# Variables that change what cargo and rustc write.
UNSET = ("CARGO_BUILD_", "CARGO_ENCODED_", "CARGO_INCREMENTAL", "CARGO_PROFILE_", "CARGO_TARGET_", "CARGO_UNSTABLE_",
         "RUSTC", "RUSTFLAGS", "RUSTUP_TOOLCHAIN")


def output(*command, **options):
    """Returns what a command prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **options).stdout


def environment(root, rustc, target):
    """Returns the environment of a build whose binary does not contain local paths."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(UNSET)}
    cargo_home = env.get("CARGO_HOME", str(pathlib.Path.home() / ".cargo"))
    lines = output(*rustc, "-vV", text=True).splitlines()
    [commit] = [line.split()[1] for line in lines if line.startswith("commit-hash")]
    sysroot = pathlib.Path(output(*rustc, "--print", "sysroot", text=True).strip())
    # The sources of the standard library, if they are installed, get the path that rustc has without them.
    paths = {cargo_home: "/cargo", root: "/genvisa", sysroot / "lib/rustlib/src/rust": f"/rustc/{commit}"}
    flags = [f"--remap-path-prefix={path}={name}" for path, name in paths.items()]
    if target.endswith("-msvc"):
        # Otherwise the linker writes the time.
        flags.append("-Clink-arg=/Brepro")
    return {**env, "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags)}


def licences(root, cargo, target):
    """Returns the licences of all packages that are part of the binary."""
    metadata = json.loads(output(*cargo, "metadata", "--locked", "--format-version", "1",
                                 "--filter-platform", target, cwd=root))
    tree = output(*cargo, "tree", "--locked", "-p", "genvisa-cli", "-e", "normal,no-proc-macro", "--target", target,
                  "--prefix", "none", "--format", "{p}", cwd=root, text=True)
    used = {tuple(line.split()[:2]) for line in tree.splitlines()}
    text = ""
    for package in sorted(metadata["packages"], key=lambda package: (package["name"], package["version"])):
        if package["source"] is None or (package["name"], "v" + package["version"]) not in used:
            continue
        text += f"{'=' * 80}\n{package['name']} {package['version']}: {package['license']}\n"
        folder = pathlib.Path(package["manifest_path"]).parent
        for file in sorted(file for file in folder.iterdir() if file.is_file()):
            if not file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")):
                continue
            text += f"\n--- {file.name}\n\n{file.read_text(errors='replace')}"
        text += "\n"
    return text.replace("\r\n", "\n")


def archive(name, files, seconds, windows):
    """Returns an archive that depends on its arguments only."""
    buffer = io.BytesIO()
    if windows:
        date = time.gmtime(seconds)[:6]
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as out:
            for path, (data, mode) in sorted(files.items()):
                entry = zipfile.ZipInfo(f"{name}/{path}", date)
                entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, mode << 16, 3
                out.writestr(entry, data)
        return buffer.getvalue()
    with gzip.GzipFile("", "wb", 9, buffer, mtime=0) as stream, \
            tarfile.open(mode="w", fileobj=stream, format=tarfile.USTAR_FORMAT) as out:
        for path, (data, mode) in sorted(files.items()):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mode, entry.mtime = len(data), mode, seconds
            out.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def commit_time(root):
    """Returns the time of the last commit, in seconds."""
    return int(output("git", "log", "-1", "--format=%ct", cwd=root))


def build(root, target, folder):
    """Builds the checkout `root`, writes its archive, and returns the hashes of the binary and the archive."""
    cargo, rustc = ["cargo", f"+{TOOLCHAIN}"], ["rustc", f"+{TOOLCHAIN}"]
    started = time.monotonic()
    subprocess.run([*cargo, "build", "--release", "--locked", "-p", "genvisa-cli", "--target", target,
                    "--target-dir", root / "target"], cwd=root, env=environment(root, rustc, target), check=True)
    windows = "windows" in target
    binary = root / "target" / target / "release" / ("genvisa.exe" if windows else "genvisa")
    version = output(binary, "--version", text=True).split()[1]
    files = {binary.name: (binary.read_bytes(), 0o755)}
    files["THIRD-PARTY.txt"] = (licences(root, cargo, target).encode(), 0o644)
    for file in ["CHANGELOG.md", "LICENSE", "README.md"]:
        files[file] = ((root / file).read_bytes(), 0o644)
    for shell, file in SHELLS.items():
        files[f"completions/{file}"] = (output(binary, "completions", shell), 0o644)
    with tempfile.TemporaryDirectory() as pages:
        subprocess.run([binary, "man", "-o", pages], check=True)
        for page in pathlib.Path(pages).iterdir():
            files[f"man/{page.name}"] = (page.read_bytes(), 0o644)
    name = f"genvisa-{version}-{target}"
    data = archive(name, files, commit_time(root), windows)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (name + (".zip" if windows else ".tar.gz"))
    path.write_bytes(data)
    print(f"{path}: built in {time.monotonic() - started:.0f} s")
    hashes = {binary.name: files[binary.name][0], path.name: data}
    return {name: hashlib.sha256(data).hexdigest() for name, data in hashes.items()}


def clone(root, commit):
    """Makes a clone of the repository at a commit."""
    subprocess.run(["git", "clone", "--quiet", "--no-checkout", ROOT, root], check=True)
    subprocess.run(["git", "checkout", "--quiet", "--detach", commit], cwd=root, check=True)


def build_twice(target, folder):
    """Builds the last commit in two places, and compares the archives."""
    commit = output("git", "rev-parse", "HEAD", cwd=ROOT, text=True).strip()
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory(suffix="-a longer path") as second:
        results = []
        for place in map(pathlib.Path, [first, second]):
            root = place.resolve() / "genvisa"
            clone(root, commit)
            if results and os.name == "posix":
                # Cargo's folder has another path, too.
                registry = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo")) / "registry"
                (place / "cargo").mkdir()
                (place / "cargo/registry").symlink_to(registry)
                os.environ["CARGO_HOME"] = str(place.resolve() / "cargo")
            results.append(build(root, target, place / "out"))
            for name, digest in results[-1].items():
                print(f"{digest}  {name}", flush=True)
        if results[0] != results[1]:
            # For a comparison with diffoscope.
            for number, place in enumerate([first, second], 1):
                shutil.copytree(pathlib.Path(place) / "out", folder / f"build-{number}", dirs_exist_ok=True)
            sys.exit(f"the two builds differ; both are in {folder}")
        shutil.copytree(pathlib.Path(first) / "out", folder, dirs_exist_ok=True)
    print("the two builds are equal")


def sbom(target, folder):
    """Writes the packages of the binary in the format of CycloneDX, after a comparison with `cargo tree`."""
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place).resolve() / "genvisa"
        clone(root, "HEAD")
        tree = output("cargo", "tree", "--locked", "-p", "genvisa-cli", "-e", "normal", "--target", target,
                      "--prefix", "none", "--format", "{p}", cwd=root, text=True)
        expected = {tuple(line.split()[:2]) for line in tree.splitlines() if not line.startswith("genvisa-cli ")}
        env = {**os.environ, "SOURCE_DATE_EPOCH": str(commit_time(root))}
        subprocess.run(["cargo", "cyclonedx", "--quiet", "--manifest-path", root / "crates/cli/Cargo.toml",
                        "--format", "json", "--spec-version", "1.5", "--target", target, "--no-build-deps"],
                       cwd=root, env=env, check=True)
        text = (root / "crates/cli/genvisa-cli.cdx.json").read_text().replace(f"file://{root}", "file:///genvisa")
        document = json.loads(text)
        used = [component for component in document["components"]
                if (component["name"], "v" + component["version"]) in expected]
        if len(used) != len(expected):
            missing = expected - {(component["name"], "v" + component["version"]) for component in used}
            sys.exit(f"the document does not list {sorted(missing)}")
        # cargo-cyclonedx also lists packages that only tests and features which are off need.
        document["components"] = used
        refs = {component["bom-ref"] for component in [*used, document["metadata"]["component"]]}
        document["dependencies"] = [entry for entry in document["dependencies"] if entry["ref"] in refs]
        for entry in document["dependencies"]:
            entry["dependsOn"] = [ref for ref in entry.get("dependsOn", []) if ref in refs]
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"genvisa-{document['metadata']['component']['version']}-{target}.cdx.json"
        path.write_text(json.dumps(document, indent=2) + "\n")
        print(f"{path}: {len(used)} packages, as `cargo tree` lists")


# The placeholder for the owner of the repository, in the files that state it.
OWNER = "OWNER"
OWNED = ["Cargo.toml", "crates/web/package.json", "docs/inline.md", "editors/tree-sitter-visaasm/package.json",
         "editors/tree-sitter-visaasm/tree-sitter.json", "editors/vscode/package.json",
         "examples/backend/.github/workflows/ci.yml",
         "examples/backend/.pre-commit-config.yaml"]
# Those that state a tag.
TAGGED = [file for file in OWNED if file.startswith(("docs", "examples"))]
MANIFESTS = ["Cargo.toml", "crates/capi/Cargo.toml", "crates/python/Cargo.toml"]
HEADER = "crates/capi/include/genvisa.h"
NPM = ["crates/web/package.json", "editors/tree-sitter-visaasm/package.json", "editors/vscode/package.json"]
TREE_SITTER = "editors/tree-sitter-visaasm/tree-sitter.json"
# What has a lock file of its own.
LOCKED = [".", "crates/capi", "crates/python", "fuzz", "tests/no_std"]


def version():
    """Returns the version of the checkout."""
    return re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]


def prepare(new, owner):
    """States a version everywhere, and an owner unless it is None. Makes the section of the changelog."""
    old = version()

    def change(file, *changes):
        path = ROOT / file
        text = path.read_text()
        for pattern, replacement in changes:
            text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
            if not count:
                sys.exit(f"{file}: there is no {pattern}")
        path.write_text(text)

    for file in MANIFESTS:
        change(file, (rf'^version = "{re.escape(old)}"', f'version = "{new}"'))
    # The packages depend on each other.
    change("Cargo.toml", (rf'(path = .*version = "=?){re.escape(old)}"', rf'\g<1>{new}"'))
    change(HEADER, (rf'^#define GENVISA_VERSION "{re.escape(old)}"$', f'#define GENVISA_VERSION "{new}"'))
    for file in NPM:
        change(file, (rf'^  "version": "{re.escape(old)}"', f'  "version": "{new}"'))
        path = ROOT / file.replace("package.json", "package-lock.json")
        if not path.exists():
            continue
        lock = json.loads(path.read_text())
        lock["version"] = lock["packages"][""]["version"] = new
        path.write_text(json.dumps(lock, indent=2, ensure_ascii=False) + "\n")
    change(TREE_SITTER, (rf'^    "version": "{re.escape(old)}"', f'    "version": "{new}"'))
    for file in OWNED if owner else []:
        change(file, (f"{OWNER}/genvisa", f"{owner}/genvisa"))
    # A version between releases, such as 0.2.0-dev, is not described.
    is_release = "-" not in new
    for file in TAGGED if is_release else []:
        change(file, (r"(genvisa@|rev: )v\d+\.\d+\.\d+", rf"\1v{new}"))
    if is_release:
        change("CHANGELOG.md", (r"^## \[Unreleased\]$", f"## [Unreleased]\n\n## [{new}] - {datetime.date.today()}"))
    for folder in LOCKED:
        subprocess.run(["cargo", "update", "--quiet", "--workspace"], cwd=ROOT / folder, check=True)
    if is_release:
        check(new)


def check(wanted):
    """Fails unless the files of a release state its version and the owner of the repository."""
    problems = [f"{file} has another version" for file in MANIFESTS
                if f'\nversion = "{wanted}"\n' not in (ROOT / file).read_text()]
    problems += [f"{file} has another version" for file in NPM
                 if json.loads((ROOT / file).read_text())["version"] != wanted]
    if json.loads((ROOT / TREE_SITTER).read_text())["metadata"]["version"] != wanted:
        problems.append(f"{TREE_SITTER} has another version")
    if f'\n#define GENVISA_VERSION "{wanted}"\n' not in (ROOT / HEADER).read_text():
        problems.append(f"{HEADER} has another version")
    problems += [f"{file} does not state the owner" for file in OWNED if f"{OWNER}/" in (ROOT / file).read_text()]
    if f"\n## [{wanted}] - " not in (ROOT / "CHANGELOG.md").read_text():
        problems.append(f"CHANGELOG.md has no section for {wanted}")
    if problems:
        sys.exit("\n".join(problems))


def rehearse(folder):
    """Builds and tries all parts of a release of the last commit."""
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        sys.exit(f"{folder} is not empty")
    target = next(line.split()[1] for line in output("rustc", "-vV", text=True).splitlines() if line.startswith("host:"))
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place).resolve() / "genvisa"
        clone(root, output("git", "rev-parse", "HEAD", cwd=ROOT, text=True).strip())
        parts = {name: folder / name for name in ["archive", "crates", "wheels", "c", "npm", "vsix"]}
        for part in parts.values():
            part.mkdir()
        build(root, target, parts["archive"])
        [program] = (root / "target" / target / "release").glob("genvisa")
        for name, function in [("crates", packages.crates), ("wheels", packages.wheels), ("c", packages.c),
                               ("npm", packages.npm), ("npm", packages.grammar)]:
            started = time.monotonic()
            function(root, parts[name])
            print(f"{name}: {time.monotonic() - started:.0f} s", flush=True)
        packages.vsix(root, parts["vsix"], program)
    print("| File | Bytes | SHA-256 |\n|---|---|---|")
    for file in sorted(folder.glob("*/*")):
        data = file.read_bytes()
        print(f"| `{file.relative_to(folder)}` | {len(data):,} | `{hashlib.sha256(data).hexdigest()[:16]}` |")


def matching(pattern):
    """Returns a type of arguments: texts that match a pattern."""
    def parse(text):
        if not re.fullmatch(pattern, text):
            raise argparse.ArgumentTypeError(f"`{text}` does not match {pattern}")
        return text
    return parse


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("toolchain")
    commands.add_parser("version")
    options = commands.add_parser("prepare")
    options.add_argument("version", type=matching(r"\d+\.\d+\.\d+(-dev)?"))
    options.add_argument("--owner", type=matching(r"[\w-]+"))
    commands.add_parser("check").add_argument("version")
    commands.add_parser("rehearse").add_argument("folder", type=pathlib.Path)
    for command in ["build", "twice", "sbom"]:
        options = commands.add_parser(command)
        options.add_argument("target")
        options.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    if options.command == "toolchain":
        print(TOOLCHAIN)
    elif options.command == "version":
        print(version())
    elif options.command == "prepare":
        prepare(options.version, options.owner)
    elif options.command == "check":
        check(options.version)
    elif options.command == "rehearse":
        rehearse(options.folder)
    elif options.command == "build":
        for name, digest in build(ROOT, options.target, options.folder).items():
            print(f"{digest}  {name}")
    elif options.command == "sbom":
        sbom(options.target, options.folder)
    else:
        build_twice(options.target, options.folder)


main()
