"""Tests the pages of `genvisa explain --html` in headless Chromium.

Usage: explain.py GENVISA [CORPUS]

GENVISA is the tool, and CORPUS a folder of .isa files, of which the largest is opened.
"""

import pathlib
import subprocess
import sys
import tempfile

import webdriver
from webdriver import Browser, large_text

TOUR = pathlib.Path(__file__).parents[4] / "tests/data/tour.isa"
LIT = "Array.from(document.querySelectorAll('{}'), e => e.{})"
BYTES, ROWS = LIT.format("#bytes .byte.lit", "id"), LIT.format("#tree .row.lit", "id")


def text_of_rows(browser, selector="#tree .row"):
    return browser.run(LIT.format(selector, "textContent").join(["return ", ""]))


def check_hover(browser):
    """Both sides light up, wherever the pointer is."""
    browser.hover("#byte-4")
    browser.wait(f"{ROWS}.length", "a lit field")
    [row] = text_of_rows(browser, "#tree .row.lit")
    assert "major_version" in row and "3" in row, row
    assert browser.run(f"return {BYTES}") == ["byte-4"]
    browser.hover("#tree .row:nth-child(2)")
    browser.wait(f"{BYTES}.length === 4", "the lit bytes of the magic")
    assert browser.run(f"return {BYTES}") == ["byte-0", "byte-1", "byte-2", "byte-3"]
    details = browser.run("return document.getElementById('details').textContent")
    assert "magic" in details and "43 49 53 41" in details, details


def check_click(browser):
    """A click on one side selects the field, and scrolls it into view on the other."""
    browser.run("document.getElementById('bytes').scrollTop = 1e6")
    browser.wait("document.getElementById('byte-771')", "the end of the file")
    browser.click("#byte-771")
    selected = "document.querySelector('#tree .row.selected .name')?.textContent"
    browser.wait(f"{selected} === 'opcode'", "the last instruction")
    browser.run("document.getElementById('tree').scrollTop = 0")
    browser.wait("document.getElementById('row-1')", "the start of the tree")
    browser.select("#row-1", "#row-1 .name")
    browser.wait("document.getElementById('byte-0')", "the start of the file")
    assert browser.run(f"return {selected}") == "magic"


def check_tree(browser):
    """Kernels and instructions are opened and closed by the pointer and the keyboard."""
    rows = "[...document.querySelectorAll('#tree .row.instruction')]"
    node = browser.run(f"return {rows}.find(row => row.textContent.includes('media_ld')).dataset.node")
    before = browser.run("return document.querySelectorAll('#tree .row').length")
    is_open = f"document.querySelector('#row-{node}')?.ariaExpanded === 'true'"
    browser.click(f"#row-{node} .twisty")
    browser.wait(is_open, "an open instruction")
    assert any("opcode" in text for text in text_of_rows(browser))
    browser.run("document.getElementById('tree').focus()")
    browser.press(webdriver.LEFT)
    browser.wait(f"!({is_open})", "a closed instruction")
    browser.press(webdriver.RIGHT)
    browser.press(webdriver.DOWN)
    browser.wait("document.querySelector('#tree .row.selected .name')?.textContent === 'opcode'", "the opcode")
    selected = browser.run("return document.querySelector('#tree .row.selected').dataset.node")
    active = browser.run("return document.getElementById('tree').getAttribute('aria-activedescendant')")
    assert active == f"row-{selected}", (active, selected)
    assert browser.run(f"return {BYTES}.length") == 1
    browser.click("#collapse")
    browser.wait("document.querySelectorAll('#tree .row').length === 3", "the parts of the file")
    browser.click("#expand")
    browser.wait(f"document.querySelectorAll('#tree .row').length >= {min(before, 20)}", "all rows")


def check_search(browser):
    """Texts, values and offsets are found, and both sides show them."""
    count = "document.getElementById('matches').textContent"
    browser.type("#query", "0x1f3")
    browser.press(webdriver.ENTER)
    browser.wait(f"{count} === '1 of 1'", "the offset")
    assert "byte-499" in browser.run(f"return {BYTES}")
    [row] = text_of_rows(browser, "#tree .row.selected")
    assert row == "0001eflodV32.0", row
    browser.run("document.getElementById('query').select()")
    browser.type("#query", "rt_write")
    browser.wait(f"/^1 of [2-9]/.test({count})", "several matches")
    first = text_of_rows(browser, "#tree .row.selected")
    browser.press(webdriver.ENTER)
    browser.wait(f"{count}.startsWith('2 of')", "the second match")
    assert text_of_rows(browser, "#tree .row.selected") != first
    browser.press(webdriver.SHIFT, webdriver.ENTER)
    browser.wait(f"{count}.startsWith('1 of')", "the first match")
    assert text_of_rows(browser, "#tree .row.selected") == first
    browser.run("document.getElementById('query').select()")
    browser.type("#query", "nowhere to be found")
    browser.wait(f"{count} === 'no match'", "no match")


def check_address(browser, page):
    """The address contains what is selected, also a field with parts, and restores it."""
    selected = "document.querySelector('#tree .row.selected')?.dataset.node"
    browser.run("document.getElementById('tree').scrollTop = 0")
    browser.wait("document.querySelector('#tree .row.part')", "the tables")
    for row in ["#row-1", "#tree .row.part"]:
        browser.select(row, f"{row} .name")
        node, address = browser.run(f"return [{selected}, location.hash]")
        assert address.startswith("#0x"), address
        browser.open("about:blank")
        browser.open(page.as_uri() + address)
        browser.wait(f"{selected} === '{node}'", f"the node of {address}")


def check_theme(browser):
    color = "return getComputedStyle(document.body).backgroundColor"
    before = browser.run(color)
    browser.click("#theme")
    after = browser.run(color)
    assert before != after, before
    assert browser.run("return document.getElementById('theme').getAttribute('aria-pressed')") == "true"
    browser.click("#theme")
    assert browser.run(color) == before


def check_labels(browser):
    """Everything that takes the focus has a name."""
    unnamed = browser.run(
        "return [...document.querySelectorAll('button, input, [tabindex]')]"
        ".filter(e => !e.getAttribute('aria-label') && !e.textContent.trim()).map(e => e.id)"
    )
    assert unnamed == [], unnamed
    roles = browser.run(
        "return ['grid', 'row', 'gridcell', 'tree', 'treeitem']"
        ".filter(role => !document.querySelector(`[role=${role}]`))"
    )
    assert roles == [], roles


def check_speed(page, name):
    """The first paint is fast, and the end of the file is shown in reasonable time."""
    with Browser() as browser:
        browser.open(page.as_uri())
        browser.wait("performance.getEntriesByType('paint').length", "a paint")
        paint = browser.run("return performance.getEntriesByType('paint')[0].startTime")
        rows = "document.querySelectorAll('#tree .row').length"
        browser.wait(f"{rows} > 5 && {rows} < 100", "some rows, not all")
        all_open, found = browser.run(
            "const times = [performance.now()];"
            "document.getElementById('expand').click(); times.push(performance.now());"
            "document.getElementById('query').value = 'add';"
            "document.getElementById('search').requestSubmit(); times.push(performance.now());"
            "return [times[1] - times[0], times[2] - times[1]]"
        )
        browser.run("const tree = document.getElementById('tree'); tree.scrollTop = tree.scrollHeight")
        browser.wait(f"{rows} > 5 && {rows} < 100", "some rows at the end")
        size = page.stat().st_size / 1e6
        print(f"{name}: {size:.1f} MB page, first paint {paint:.0f} ms, all fields opened in "
              f"{all_open:.0f} ms, searched in {found:.0f} ms")
        assert paint < 1000, f"{name}: first paint after {paint} ms"
        assert browser.log() == []


def main():
    genvisa, corpus = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def explain(file, fails=False):
            page = folder / f"{file.stem}.html"
            code = subprocess.run([genvisa, "explain", file, "--html", page], stderr=subprocess.DEVNULL).returncode
            assert code == fails, file
            return page

        page = explain(TOUR)
        for dark in [False, True]:
            with Browser(dark=dark) as browser:
                browser.open(page.as_uri())
                browser.wait("document.querySelector('#tree .row')", "a tree")
                check_labels(browser)
                check_hover(browser)
                check_click(browser)
                check_tree(browser)
                check_search(browser)
                check_address(browser, page)
                if not dark:
                    check_theme(browser)
                assert browser.print().startswith(b"%PDF")
                assert browser.log() == []
        broken = folder / "broken.isa"
        broken.write_bytes(TOUR.read_bytes()[:60] + b"<script>alert(1)</script>")
        with Browser() as browser:
            browser.open(explain(broken, fails=True).as_uri())
            browser.wait("!document.getElementById('errors').hidden", "the error")
            assert browser.run("return document.querySelector('#tree .row.unread') !== null")
            assert browser.log() == []
        print("tour: hover, tree, search, theme, printing and errors work")

        source, large = folder / "large.visaasm", folder / "large.isa"
        source.write_text(large_text())
        subprocess.run([genvisa, "asm", source, "-o", large], check=True)
        check_speed(explain(large), f"a generated file of {large.stat().st_size / 1e6:.2f} MB")
        for name in corpus:
            largest = max(pathlib.Path(name).glob("*.isa"), key=lambda file: file.stat().st_size)
            check_speed(explain(largest), f"{largest.name} ({largest.stat().st_size / 1e6:.2f} MB)")


if __name__ == "__main__":
    if webdriver.is_installed():
        main()
    else:
        print("skipped: chromium and chromedriver are not installed")
