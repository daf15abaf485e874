"""Changes one fact of the tables at a time, and runs the tests. Prints the changes that no test notices.

The tables are the rows of instructions, the codes with their words, and the rules of the verifier: macros,
which cargo-mutants does not change. The seed determines the sample."""

import argparse
import collections
import functools
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAYOUTS = ["src/isa/table.rs", "src/isa/lsc.rs", "src/isa/svm.rs", "src/isa/va.rs", "src/isa/va_skl_plus.rs"]
CODES = LAYOUTS + ["src/isa/sampler/operations.rs", "src/isa/info.rs", "src/isa/rt_write.rs",
                   "src/object/tables.rs", "src/object/routine.rs", "src/operand/*.rs"]
WORDS = CODES + ["src/isa/sampler/param.rs", "src/text/operands/codes.rs", "src/text/words/*.rs"]
RULES = ["src/verify/*/*.rs"]

FIELD = r"\b[a-z]\w*: (?:[A-Z]\w*|[ui]\d+)\b(?: \[[^\]]*\])?"
CODE = r'0x[0-9a-f]{2}(?= (?:\[|[A-Z]))|(?<== )(?:0x[0-9a-f]+|\d+)(?= ")'


def read(patterns):
    """Yields files with their text, in which comments are blank."""
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            text = path.read_text()
            blank = re.sub(r"//.*", lambda comment: " " * len(comment.group()), text)
            yield path.relative_to(ROOT), blank


def listed(path, pattern):
    """The names in a list of the library, in its order."""
    return re.findall(pattern, (ROOT / path).read_text(), re.M)


def neighbour(names, name):
    index = names.index(name)
    return names[index + 1] if index + 1 < len(names) else names[index - 1]


def swapped_fields():
    for path, text in read(LAYOUTS):
        for match in re.finditer(rf"(?=(?<![\w.])({FIELD})(,\s+)({FIELD}),?)", text):
            if match[1].split(": ")[1] != "Exec":
                yield path, match.start(1), match[1] + match[2] + match[3], match[3] + match[2] + match[1]


def moved_gates():
    versions = listed("src/format.rs", r"^\s+(V\d_\d+) = ")
    platforms = listed("src/platform.rs", r'^\s+([A-Z]\w+) "[^"]+"[^\[]*\[')
    for path, text in read(LAYOUTS):
        for match in re.finditer(r"(?<=since )V\d_\d+|(?<=before )V\d_\d+", text):
            yield path, match.start(), match[0], neighbour(versions, match[0])
        for match in re.finditer(r"(?<=from\()\w+|(?<=until\()\w+|(?<=unlisted\()\w+", text):
            yield path, match.start(), match[0], neighbour(platforms, match[0])
        for match in re.finditer(r"\[igc2026\]", text):
            yield path, match.start(), match[0], "[igc2026 since V3_8]"


def inverted_conditions():
    for path, text in read(LAYOUTS):
        for match in re.finditer(r"\[(before|since) (?=V)", text):
            yield path, match.start(), match[0], "[before " if match[1] == "since" else "[since "
        for match in re.finditer(r"\[(not )?manual\b", text):
            yield path, match.start(), match[0], "[manual" if match[1] else "[not manual"
    for path, text in read(RULES):
        for match in re.finditer(r"\bif (?!let\b)([^\n{};]+) (?=\{)", text):
            if "=>" not in match[0] and " let " not in match[0]:
                yield path, match.start(), match[0], f"if !({match[1]}) "
        for match in re.finditer(r" (==|!=) ", text):
            yield path, match.start(), match[0], " != " if match[1] == "==" else " == "


def changed_codes():
    for path, text in read(CODES):
        codes = list(re.finditer(CODE, text))
        for first, second in zip(codes, codes[1:]):
            # With the comments.
            block = (ROOT / path).read_text()[first.start():second.end()]
            if "code!" not in block and len(block) < 400 and first[0] != second[0]:
                exchanged = second[0] + block[len(first[0]):len(block) - len(second[0])] + first[0]
                yield path, first.start(), block, exchanged


def renamed_words():
    for path, text in read(WORDS):
        for match in re.finditer(r'"([A-Za-z_.]*[A-Za-z]{2}\w*)"', text):
            if not text[:match.start()].endswith("feature = "):
                yield path, match.start(), match[0], f'"{match[1]}x"'


def moved_bounds():
    for path, text in read(RULES):
        for match in re.finditer(r"(?<![\w.\"])\d+(?=[ ,;)\]}]|\.\.)", text):
            yield path, match.start(), match[0], str(int(match[0]) + 1)
        for match in re.finditer(r" (<=?|>=?) (?!\w+>)", text):
            other = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}[match[1]]
            yield path, match.start(), match[0], f" {other} "


KINDS = {
    "field": swapped_fields,
    "gate": moved_gates,
    "condition": inverted_conditions,
    "code": changed_codes,
    "word": renamed_words,
    "bound": moved_bounds,
}


@functools.cache
def source(path):
    return (ROOT / path).read_text()


def sample(seed, count):
    """The mutants of a seed: as many of each kind."""
    choice = random.Random(seed)
    for kind, find in KINDS.items():
        # A change of text with a comment in it would change the comment, too.
        found = [(path, start, old, new) for path, start, old, new in find()
                 if source(path).startswith(old, start)]
        for mutant in choice.sample(found, min(len(found), count // len(KINDS))):
            yield kind, *mutant


def shown(text):
    return " ".join(text.split())


def run(command, environment, folder, timeout):
    """Runs the tests until the first that fails."""
    process = subprocess.Popen(command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(process.pid, signal.SIGKILL))
    signal.alarm(timeout)
    lines, failed = collections.deque(maxlen=40), None
    for line in process.stdout:
        lines.append(line)
        if line.startswith("test ") and line.rstrip().endswith("FAILED"):
            failed = line.split()[1]
            os.killpg(process.pid, signal.SIGKILL)
            break
    code = process.wait()
    signal.alarm(0)
    if code == 0:
        return "MISSED", ""
    if failed:
        return "caught", failed
    if any("could not compile" in line for line in lines):
        return "unbuildable", next((shown(line) for line in lines if line.startswith("error")), "")
    return ("timeout", "") if code == -signal.SIGKILL else ("caught", shown(lines[-1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--list", action="store_true", help="print the changes only")
    parser.add_argument("--only", type=int, nargs="+", help="numbers of changes in the list")
    parser.add_argument("--timeout", type=int, default=900, help="seconds for a change")
    parser.add_argument("command", nargs="*", default=["cargo", "test"], help="the tests (after --)")
    options = parser.parse_args()

    mutants = list(enumerate(sample(options.seed, options.count), 1))
    if options.only:
        mutants = [mutant for mutant in mutants if mutant[0] in options.only]
    target = ROOT / "target/mutants"
    folder = target / "tree"
    environment = dict(os.environ, CARGO_TARGET_DIR=str(target), CARGO_PROFILE_TEST_INCREMENTAL="true")
    if not options.list:
        shutil.rmtree(folder, ignore_errors=True)
        for name in subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            # With the time of now, because cargo compares times.
            shutil.copyfile(ROOT / name, folder / name)
        result, why = run(options.command, environment, folder, options.timeout)
        if result != "MISSED":
            sys.exit(f"the tests fail without a change: {result} {why}")
    counts = collections.Counter()
    for number, (kind, path, start, old, new) in mutants:
        text = source(path)
        line = text.count("\n", 0, start) + 1
        name = f"{number} {kind} {path}:{line}: {shown(old)} -> {shown(new)}"
        if options.list:
            print(name)
            continue
        (folder / path).write_text(text[:start] + new + text[start + len(old):])
        began = time.monotonic()
        result, why = run(options.command, environment, folder, options.timeout)
        (folder / path).write_text(text)
        counts[result] += 1
        print(f"{result} {name} ({time.monotonic() - began:.0f} s) {why}", flush=True)
    if not options.list:
        print(", ".join(f"{count} {result}" for result, count in counts.items()))
        sys.exit(bool(counts["MISSED"]))


main()
