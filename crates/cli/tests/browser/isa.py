"""Tests the page of `genvisa isa --html` in headless Chromium.

Usage: isa.py GENVISA
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import webdriver
from webdriver import Browser, check_contrast, check_labels

HEAD = "return document.querySelector('#page h2').textContent"
SHOWN = "return [...document.querySelectorAll('#list a')].filter(link => link.checkVisibility()).length"


def check_search(browser, instructions):
    """The search finds words and opcodes, and Enter shows the first instruction."""
    assert browser.run(SHOWN) == len(instructions)
    browser.press("/")
    browser.type("#query", "gather4_t")
    assert 1 <= browser.run(SHOWN) < 5
    browser.type("#query", "\n")
    browser.wait("document.querySelector('#page h2').textContent === 'gather4_typed'", "the page")
    assert browser.run("return location.hash") == "#gather4_typed"
    browser.run("document.getElementById('query').value = ''")
    browser.type("#query", "4b")
    found = browser.run("return [...document.querySelectorAll('#list a')].filter(link => link.checkVisibility()).map(link => link.firstChild.data)")
    assert "gather4_typed" in found, found


def check_pages(browser, page, instructions):
    """Each page has the fields, the example and the lists of the data."""
    for instruction in instructions[::7]:
        mnemonic, example = instruction["mnemonic"], instruction["example"]
        browser.run(f"location.hash = {json.dumps(mnemonic)}")
        browser.wait(f"document.querySelector('#page h2').textContent === {json.dumps(mnemonic)}", mnemonic)
        text = browser.run("return document.getElementById('page').textContent")
        parts = [instruction["summary"], *instruction["rules"], *instruction["platforms"]]
        if example:
            parts += [example["text"].split(" ")[0], *example["declarations"]]
        missing = [part for part in parts if part not in text]
        assert not missing, (mnemonic, missing)


def main():
    genvisa = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "isa.html"
        subprocess.run([genvisa, "isa", "--html", page], check=True)
        for dark, width in [(False, 1200), (True, 420)]:
            with Browser(width=width, dark=dark) as browser:
                browser.open(page.as_uri() + "#lsc_load")
                assert browser.run(HEAD) == "lsc_load"
                check_labels(browser)
                check_contrast(browser)
                data = "return JSON.parse(document.getElementById('data').textContent).instructions"
                instructions = browser.run(data)
                unique = {instruction["mnemonic"]: instruction for instruction in reversed(instructions)}
                check_pages(browser, page, list(unique.values()))
                check_search(browser, instructions)
                wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
                assert browser.run(wide) <= 0
                assert browser.log() == []
    print("the pages of instructions: search, addresses, contents and contrast work")


if __name__ == "__main__":
    if webdriver.is_installed():
        main()
    else:
        print("skipped: chromium and chromedriver are not installed")
