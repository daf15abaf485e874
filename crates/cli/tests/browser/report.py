"""Tests the pages of `genvisa report` in headless Chromium.

Usage: report.py GENVISA [CORPUS]

GENVISA is the tool, and CORPUS a folder of .isa files, of which the largest is opened.
"""

import pathlib
import subprocess
import sys
import tempfile
import time

import webdriver
from webdriver import Browser, check_contrast, check_labels, large_text

DATA = pathlib.Path(__file__).parents[4] / "tests/data"
LOOP, CHANGED = DATA / "collatz.visaasm", DATA / "collatz-2.visaasm"
DOT, UNROLLED = DATA / "dot.visaasm", DATA / "dot-unrolled.visaasm"
# Seconds until the text and the plot of a listing of 1 MB are shown.
BOUND = 5

ROWS = "[...document.querySelectorAll('#text .cell.block')].map(cell => cell.dataset.side + cell.dataset.line)"
LINE = "[...document.querySelectorAll('#text .cell.selected')].map(cell => cell.dataset.side + cell.dataset.line)"
SPAN = "[...document.querySelectorAll('#plot .span')].map(span => [span.dataset.first, span.dataset.last].map(Number))"
BOX = "[...document.querySelectorAll('#graph .box.selected')].map(box => Number(box.dataset.block))"


def state(browser):
    """Returns what each pane marks: lines of the block, the selected line, the span, and the box."""
    return browser.run(f"return [{ROWS}, {LINE}, {SPAN}, {BOX}]")


def expect(browser, block, lines, row, side="a", line=None, rows=None):
    """Waits until all panes mark a block. `row` is its first row, and it has as many rows as lines or `rows`."""
    browser.wait(f"{BOX}[0] === {block}", f"box {block}")
    expected = [
        [f"{side}{at}" for at in lines], [] if line is None else [f"{side}{line}"],
        [[row, row + (rows or len(lines)) - 1]], [block],
    ]
    assert state(browser) == expected, (state(browser), expected)


def check_links(browser):
    """A block is marked in the text, in the plot and in the graph, wherever it is selected."""
    browser.click("#box-5")
    expect(browser, 5, [11, 12], 11)
    browser.click("#row-14 .cell")
    expect(browser, 6, [13, 14, 15, 16], 13, line=14)
    x = "const box = document.querySelector('#plot').getBoundingClientRect();" \
        "const at = 44 + (box.width - 54) * ({0} + 0.5) / document.querySelector('#plot').ariaValueMax;"
    browser.run(x.format(7) + "document.querySelector('#plot').dispatchEvent("
                "new MouseEvent('click', {clientX: box.left + at, clientY: box.top + 50}))")
    expect(browser, 2, [6, 7, 8], 6, line=7)
    # The peak is 11 before $7.
    assert "11 registers" in browser.run("return document.getElementById('readout').textContent")


def check_keys(browser):
    browser.run("document.getElementById('text').focus()")
    browser.press(webdriver.DOWN)
    expect(browser, 2, [6, 7, 8], 6, line=8)
    browser.press(webdriver.DOWN)
    expect(browser, 3, [9], 9, line=9)
    browser.press(webdriver.ENTER)
    expect(browser, 3, [9], 9)
    browser.run("document.getElementById('plot').focus()")
    browser.press(webdriver.LEFT)
    expect(browser, 2, [6, 7, 8], 6, line=8)
    value = browser.run("return document.getElementById('plot').ariaValueText")
    assert "$8: 9 registers" in value, value
    browser.run("document.getElementById('graph').focus()")
    browser.press(webdriver.UP)
    expect(browser, 1, [3, 4, 5], 3)
    browser.press(webdriver.DOWN)
    expect(browser, 2, [6, 7, 8], 6)
    active = browser.run("return document.getElementById('graph').getAttribute('aria-activedescendant')")
    assert active == "box-2", active
    browser.run("document.getElementById('tab-graph').focus()")
    browser.press(webdriver.RIGHT)
    browser.wait("!document.getElementById('statistics').hidden", "the statistics")
    text = browser.run("return document.getElementById('statistics').textContent")
    assert "Totals" in text and "Variables that are live at the peak" in text, text
    browser.press(webdriver.LEFT)
    browser.wait("!document.getElementById('graph-view').hidden", "the graph")


def check_address(browser, page):
    """The address contains the selection, and restores it."""
    browser.click("#box-5")
    address = browser.run("return location.hash")
    assert address == "#routine=0&side=a&block=5", address
    browser.open("about:blank")
    browser.open(page.as_uri() + address)
    expect(browser, 5, [11, 12], 11)
    browser.run("location.hash = '#routine=0&side=a&line=14'")
    expect(browser, 6, [13, 14, 15, 16], 13, line=14)
    for wrong in ["#routine=9", "#side=b&line=99999", "#block=x", "#%"]:
        browser.run("location.hash = arguments[0]", wrong)
        browser.settle()
    assert browser.run(f"return {BOX}") == [6]


def check_boxes(browser):
    """The graph draws blocks in common boxes, and a loop with its neighbors."""
    count = "document.querySelectorAll('#graph .box').length"
    blocks = browser.run(f"return {count}")
    browser.run("const boxes = document.getElementById('boxes'); boxes.value = 'region';"
                "boxes.dispatchEvent(new Event('change'))")
    browser.wait(f"{count} <= {blocks}", "at most as many boxes")
    browser.run("const part = document.getElementById('part'); part.value = '0';"
                "part.dispatchEvent(new Event('change'))")
    browser.wait("document.querySelectorAll('#graph .box.outside').length === 3", "B0, B7 and B8")
    browser.run("for (const [id, value] of [['boxes', 'block'], ['part', '']]) {"
                "document.getElementById(id).value = value;"
                "document.getElementById(id).dispatchEvent(new Event('change')); }")
    browser.wait(f"{count} === {blocks}", "all blocks")


def check_pair(browser):
    """The changed lines are beside each other, and have the key n."""
    browser.run("document.body.focus()")
    browser.press("n")
    # B has one more line.
    expect(browser, 8, [20, 21, 22, 23], 20, line=21, rows=5)
    cells = browser.run("return [...document.querySelectorAll('#row-21 .cell, #row-22 .cell')]"
                        ".map(cell => [cell.className.split(' ').filter(c => ['removed', 'added', 'none'].includes(c))[0],"
                        " /[a-z]+ \\(M1, 16\\)/.exec(cell.textContent)?.[0] ?? ''])")
    assert cells == [["removed", "mul (M1, 16)"], ["added", "shl (M1, 16)"], ["none", ""], ["added", "add (M1, 16)"]], cells
    browser.click("#row-22 .added")
    expect(browser, 8, [20, 21, 22, 23, 24], 20, side="b", line=22)
    assert browser.run("return document.getElementById('side').value") == "b"
    assert browser.run("return location.hash") == "#routine=0&side=b&line=22"
    browser.click("#tab-statistics")
    text = browser.run("return [...document.querySelectorAll('#statistics tbody tr')].map(row => row.innerText.replace(/\\s+/g, ' ')).join('|')")
    assert "instructions 24 25 +1 (+4.2 %)" in text and "mul 1 0 −1 (−100.0 %)" in text, text
    check_contrast(browser)
    browser.click("#tab-graph")


def check_difference(page):
    """Only the words that differ are marked, columns have heads, and long lines can be moved."""
    with Browser() as browser:
        browser.open(page.as_uri())
        browser.wait("document.querySelector('#text .differs')", "a difference")
        words = browser.run("return [...document.querySelectorAll('#text .row')].map(row => ['a', 'b'].map(side =>"
                            "[...row.querySelectorAll(`[data-side=${side}] .differs`)].map(part => part.textContent)))"
                            ".filter(sides => sides.flat().length)")
        # Rows of different operations are not compared.
        assert words == [[["d32"], ["d32x4"]]] * 2, words
        heads = browser.run("return [...document.querySelectorAll('#heads .cell')].map(head => head.textContent)")
        assert heads == [f"no.live{side}: {path}" for side, path in zip("AB", [DOT, UNROLLED])], heads
        left = "document.querySelector('#row-3 .shifted').getBoundingClientRect().left"
        before = browser.run(f"document.getElementById('across').scrollLeft = 30; return {left}")
        browser.wait(f"{left} === {before} - 30", "moved lines")
        # The end of the longest line can be seen.
        browser.run("document.getElementById('across').scrollLeft = 1e6")
        browser.wait(f"{left} < {before} - 30", "the end of the lines")
        ends = browser.run("return [...document.querySelectorAll('#text .cell:not(.none)')].map(cell =>"
                           "cell.querySelector('.shown').getBoundingClientRect().right"
                           "- cell.querySelector('.shifted').getBoundingClientRect().right)")
        assert min(ends) >= 0, min(ends)


def text_of_many_blocks():
    """Returns the text of a kernel of about 1 MB with 4,000 blocks, which are no straight chains."""
    head = [".version 3.6", '.kernel "many"', ".decl P1 v_type=P num_elts=16", ".decl x v_type=G type=f num_elts=16 align=GRF"]
    lines = []
    for i in range(4000):
        lines.append(f"L{i}:")
        lines += ["mul (M1, 16) x(0,0)<1> x(0,0)<1;1,0> 0x3f000000:f"] * 5
        lines.append(f"(P1) jmp (M1, 1) L{min(i + 3, 3999)}")
    return "\n".join(head + lines + ["ret (M1, 1)"]) + "\n"


def check_large(page, name, size):
    """The text and the plot of a large routine are shown soon, only with the rows in view."""
    with Browser() as browser:
        start = time.monotonic()
        browser.open(page.as_uri())
        rows = "document.querySelectorAll('#text .row').length"
        browser.wait(f"{rows} > 5 && {rows} < 100 && document.querySelector('#plot path')", "some rows and the plot")
        shown = time.monotonic() - start
        start = time.monotonic()
        browser.click("#tab-graph")
        browser.wait("document.querySelector('#graph .box')", "the graph")
        drawn = time.monotonic() - start
        browser.run("document.getElementById('text').focus()")
        start = time.monotonic()
        browser.press(webdriver.END)
        browser.wait(LINE + ".length", "the last line")
        moved = time.monotonic() - start
        boxes = browser.run("return document.querySelectorAll('#graph .box').length")
        print(f"{name}: {size / 1e6:.1f} MB of text, page of {page.stat().st_size / 1e6:.1f} MB, shown in {shown:.1f} s, "
              f"{boxes} boxes laid out in {drawn:.1f} s, at the end in {moved:.1f} s")
        assert shown < BOUND, f"{name}: {shown:.1f} s"
        assert drawn < 2 * BOUND, f"{name}: {drawn:.1f} s"
        assert browser.log() == []


def main():
    genvisa, corpus = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def report(name, *files):
            page = folder / f"{name}.html"
            subprocess.run([genvisa, "report", "-q", *files, "-o", page], check=True)
            return page

        one, pair = report("one", LOOP), report("pair", LOOP, CHANGED)
        check_difference(report("difference", DOT, UNROLLED))
        for dark in [False, True]:
            with Browser(dark=dark) as browser:
                browser.open(one.as_uri())
                browser.wait("document.querySelector('#graph .box')", "a graph")
                check_labels(browser)
                check_links(browser)
                check_contrast(browser)
                check_keys(browser)
                check_address(browser, one)
                check_boxes(browser)
                check_contrast(browser)
                assert browser.log() == []
                browser.open(pair.as_uri())
                browser.wait("document.querySelector('#graph .box')", "a graph")
                check_pair(browser)
                check_contrast(browser)
                assert browser.log() == []
        hostile = folder / "hostile.visaasm"
        hostile.write_text(LOOP.read_text().replace('"collatz"', '"</script><script>document.title = 1</script>"'))
        with Browser() as browser:
            browser.open(report("hostile", hostile, LOOP).as_uri())
            browser.wait("document.querySelector('#graph .box')", "a graph")
            summary = browser.run("return [document.title, document.getElementById('summary').textContent]")
            assert "report" in summary[0] and "</script>" in summary[1], summary
            assert browser.log() == []
        print("collatz: links, keys, address, graph, changes and contrast work")

        source = folder / "large.visaasm"
        source.write_text(large_text())
        check_large(report("large", source), "a generated file", source.stat().st_size)
        source.write_text(text_of_many_blocks())
        check_large(report("many", source), "a file with many blocks", source.stat().st_size)
        for name in corpus:
            largest = max(pathlib.Path(name).glob("*.isa"), key=lambda file: file.stat().st_size)
            check_large(report("largest", largest), largest.name, largest.stat().st_size)
            blocks = pathlib.Path(name) / "mediadriver-gen12-hevc-b-lcu32.isa"
            if blocks.exists():
                check_large(report("blocks", blocks), blocks.name, blocks.stat().st_size)


if __name__ == "__main__":
    if webdriver.is_installed():
        main()
    else:
        print("skipped: chromium and chromedriver are not installed")
