"""Builds what a release consists of in addition to the archive of the tool, and tries each part as a user would install it.

Every function writes to a folder, and raises an exception if a part does not work."""

import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile


def run(*command, **options):
    """Runs a command; its failure is an exception."""
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True, **options)


def output(*command, **options):
    """Returns what a command prints."""
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def crates(root, folder):
    """The crates, as `cargo publish` would upload them, compiled from their archives."""
    # Changes that are not committed would not be in a release.
    run("cargo", "publish", "--dry-run", "--workspace", "--locked", cwd=root)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", root / "target"))
    archives = sorted((target / "package").rglob("*.crate"))
    assert archives, "there are no archives"
    for archive in archives:
        with tarfile.open(archive) as files:
            names = [name for name in files.getnames() if not name.endswith((".rs", "/Cargo.toml.orig"))]
            print(f"{archive.name}: {len(files.getnames())} files; not sources: {len(names)}")
        shutil.copy(archive, folder)


def interpreters(oldest):
    """Returns the oldest and the newest Python of this machine, from version 3.`oldest` on."""
    versions = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")) / "versions"
    found = []
    for minor in range(oldest, 30):
        places = [shutil.which(f"python3.{minor}"), *versions.glob(f"3.{minor}.*/bin/python3")]
        # A shim exists for versions that are not there.
        works = [place for place in places
                 if place and subprocess.run([place, "-c", ""], stderr=subprocess.DEVNULL, check=False).returncode == 0]
        found.extend(works[:1])
    return [found[0], found[-1]] if found else [sys.executable]


def wheels(root, folder):
    """The wheel and the source distribution of the Python package, installed in environments of their own."""
    environment = folder / "environment"
    run(sys.executable, "-m", "venv", "--clear", environment)
    maturin = environment / "bin/maturin"
    run(environment / "bin/pip", "install", "--quiet", "maturin")
    manifest = root / "crates/python/Cargo.toml"
    run(maturin, "build", "--release", "--locked", "--manifest-path", manifest, "--out", folder)
    run(maturin, "sdist", "--manifest-path", manifest, "--out", folder)
    smoke = root / ".ci/smoke.py"
    # It has to be compiled again, which need not be fast code.
    quick = os.environ | {"CARGO_PROFILE_RELEASE_OPT_LEVEL": "0", "CARGO_PROFILE_RELEASE_LTO": "off"}
    [wheel], [source] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    for python, package, options in [*((python, wheel, ["--no-index"]) for python in interpreters(9)),
                                     (sys.executable, source, [])]:
        print(output(python, "--version").strip(), package.name, flush=True)
        run(python, "-m", "venv", "--clear", environment)
        run(environment / "bin/pip", "install", "--quiet", *options, package, env=quick)
        # Without what this machine has.
        run("bin/python", smoke, cwd=environment, env={"PATH": "/usr/bin:/bin"})
    shutil.rmtree(environment)


def c(root, folder):
    """The C library, installed to a prefix, and a program that finds it there by pkg-config."""
    version = output(sys.executable, root / ".ci/release.py", "version").strip()
    build, prefix = folder / "build", folder / f"genvisa-c-{version}"
    run("cmake", "-S", root / "crates/capi", "-B", build)
    run("cmake", "--build", build)
    run("cmake", "--install", build, "--prefix", prefix)
    environment = os.environ | {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig"), "LD_LIBRARY_PATH": str(prefix / "lib")}
    flags = output("pkg-config", "--cflags", "--libs", "genvisa", env=environment).split()
    run("cc", root / "crates/capi/examples/decode.c", *flags, "-o", build / "decode")
    run(build / "decode", root / "tests/data/tour.isa", env=environment, stdout=subprocess.DEVNULL)
    soname = f"libgenvisa.so.{version.rpartition('.')[0]}"
    assert soname in output("readelf", "-d", build / "decode"), "the program needs another library"
    shutil.copy(root / "LICENSE", prefix)
    with tarfile.open(folder / f"{prefix.name}.tar.gz", "w:gz") as archive:
        archive.add(prefix, prefix.name)
    shutil.rmtree(build)
    shutil.rmtree(prefix)


def npm(root, folder):
    """The package for JavaScript, installed from its file."""
    web = root / "crates/web"
    run("npm", "ci", "--no-audit", "--no-fund", cwd=web)
    run(sys.executable, "build.py", cwd=web)
    run("npm", "pack", "--pack-destination", folder, cwd=web)
    [package] = folder.glob("genvisa-*.tgz")
    user = folder / "user"
    user.mkdir()
    (user / "package.json").write_text('{"private": true, "type": "module"}\n')
    run("npm", "install", "--no-audit", "--no-fund", package, cwd=user)
    (user / "index.js").write_text(
        'import { readFile } from "node:fs/promises";\nimport { load } from "genvisa";\n'
        'console.log(await (await load()).dis(await readFile(process.argv[2])));\n')
    text = output("node", "index.js", root / "tests/data/tour.isa", cwd=user)
    assert '.kernel "tour"' in text, text
    shutil.rmtree(user)


def grammar(root, folder):
    """The package of the grammar for tree-sitter, from whose file the parser is compiled as editors do it."""
    run("npm", "pack", "--pack-destination", folder, cwd=root / "editors/tree-sitter-visaasm")
    [package] = folder.glob("tree-sitter-visaasm-*.tgz")
    user = folder / "user"
    user.mkdir()
    run("tar", "--extract", "--file", package, "--directory", user)
    contents = user / "package"
    for file in ["LICENSE", "README.md", "grammar.js", "queries/highlights.scm", "tree-sitter.json"]:
        assert (contents / file).exists(), f"{file} is missing"
    library = user / "visaasm.so"
    run("cc", "-shared", "-fPIC", "-I", contents / "src", contents / "src/parser.c", "-o", library)
    assert ctypes.CDLL(str(library)).tree_sitter_visaasm, "the library has no language"
    shutil.rmtree(user)


def vsix(root, folder, program):
    """The extension of VS Code for this system, with a program, which is started as the extension starts it."""
    extension = root / "editors/vscode"
    server = extension / "server"
    server.mkdir(exist_ok=True)
    shutil.copy(program, server / "genvisa")
    try:
        run("npm", "ci", "--no-audit", "--no-fund", cwd=extension)
        machine = {"x86_64": "x64", "aarch64": "arm64"}[os.uname().machine]
        system = {"Linux": "linux", "Darwin": "darwin"}[os.uname().sysname]
        run("npm", "run", "package", "--", "--target", f"{system}-{machine}", "--out", folder, cwd=extension)
    finally:
        shutil.rmtree(server)
    [package] = folder.glob("*.vsix")
    installed = folder / "installed"
    with zipfile.ZipFile(package) as files:
        files.extractall(installed)
    started = installed / "extension/server/genvisa"
    # `extractall` does not restore modes; the editor does.
    started.chmod(0o755)
    run("npm", "test", cwd=extension, env=os.environ | {"GENVISA": str(started)})
    shutil.rmtree(installed)
