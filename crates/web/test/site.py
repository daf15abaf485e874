#!/usr/bin/env python3
"""Tests the page in headless Chromium: every kind of input, and every view, against the native tool.

Usage: site.py GENVISA [FOLDER]

GENVISA is the native tool. Screenshots in both themes and two widths are written to FOLDER.
"""

import base64
import functools
import http.server
import json
import pathlib
import subprocess
import sys
import threading
import time

WEB = pathlib.Path(__file__).parents[1]
ROOT = WEB.parents[1]
sys.path.insert(0, str(ROOT / "crates/cli/tests/browser"))

from webdriver import Browser, large_text  # noqa: E402

DATA = ROOT / "tests/data"

UNDERLINED = "return document.getElementById('text').shadowRoot.querySelector('.cm-lintRange-error')?.textContent"


def serve():
    """Serves the page. Returns its address."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".wasm": "application/wasm"}

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=WEB / "dist"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


STATUS = "document.getElementById('status').textContent"


def wait_for_result(browser):
    browser.wait(f"/^(Done|Open)/.test({STATUS}) || !document.getElementById('messages').hidden", "a result", 60)


def drop(browser, name, data):
    """Drops a file on the page. `longest` becomes the longest time without a frame after it."""
    encoded = base64.b64encode(data).decode()
    browser.run(f"""
        {STATUS} = '';
        const bytes = Uint8Array.from(atob('{encoded}'), c => c.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], {json.dumps(name)}));
        window.longest = 0;
        window.last = performance.now();
        document.body.dispatchEvent(new DragEvent('drop', {{dataTransfer: transfer, bubbles: true, cancelable: true}}));
    """)
    browser.wait(f"document.getElementById('name').value === {json.dumps(name)}", "the name")
    wait_for_result(browser)


def tabs(browser):
    return browser.run("return [...document.querySelectorAll('#tabs button')].map(tab => tab.textContent)")


def show(browser, title):
    """Shows a view. Returns its text."""
    browser.run(f"""
        {STATUS} = '';
        [...document.querySelectorAll('#tabs button')].find(tab => tab.textContent === {json.dumps(title)}).click();
    """)
    wait_for_result(browser)
    return browser.run("return document.getElementById('output').textContent")


def native(tool, folder, *args, stdin=None):
    result = subprocess.run([tool, *args], cwd=folder, capture_output=True, text=True, input=stdin)
    return result.stdout


def check_inputs(browser, tool):
    """Inputs are recognized, and views are what the tool prints."""
    always = ["Instructions", "Help"]
    drop(browser, "tour.isa", (DATA / "tour.isa").read_bytes())
    binary = ["Facts", "Findings", "Text", "Statistics", "Control flow", "Bytes", "Report", "Compare", "Differences",
              "Run"]
    assert tabs(browser) == binary + always, tabs(browser)
    assert "vISA 3.6" in browser.run("return document.getElementById('kind').textContent")
    lines = {"Facts": ["info"], "Findings": ["verify"], "Text": ["dis"], "Statistics": ["stats"],
             "Control flow": ["cfg", "--format", "tree"]}
    for title, args in lines.items():
        assert show(browser, title) == native(tool, DATA, *args, "tour.isa"), title
    drop(browser, "dot.visaasm", (DATA / "dot.visaasm").read_bytes())
    assert tabs(browser) == [one for one in binary if one not in ("Text", "Bytes")] + always, tabs(browser)
    for title in ("Facts", "Statistics"):
        assert show(browser, title) == native(tool, DATA, *lines[title], "dot.visaasm"), title
    drop(browser, "mistakes.cl", (DATA / "inline/mistakes.cl").read_bytes())
    assert tabs(browser) == ["Findings"] + always
    assert show(browser, "Findings") == native(tool, DATA / "inline", "check", "mistakes.cl")
    drop(browser, "triton.py", (DATA / "inline/triton.py").read_bytes())
    assert show(browser, "Findings") == native(tool, DATA / "inline", "check", "triton.py")
    drop(browser, "bytes.txt", b"70 0a 03")
    assert tabs(browser) == ["Bytes"] + always
    assert show(browser, "Bytes") == native(tool, DATA, "explain", "--hex", "-", stdin="70 0a 03")
    show(browser, "Help")
    # The help is that of the larger module, which has all commands.
    output = "document.getElementById('output').textContent"
    browser.wait(f"{output}.includes('triage') && {output}.includes('verify')", "the help", 60)
    device = ROOT / "crates/interp/tests/data/scale-bmg.bin"
    drop(browser, device.name, device.read_bytes())
    assert show(browser, "Facts") == native(tool, device.parent, "info", device.name)
    show(browser, "Run")
    line = "run --json --kernel scale --global 64 --local 16 --arg y=zero:256 --arg x=zero:256 --arg a=2 --arg n=64"
    line = [*line.split(), device.name]
    browser.run(f"""
        {STATUS} = '';
        document.getElementById('line').value = {json.dumps(" ".join(line))};
        document.getElementById('command').requestSubmit();
    """)
    browser.wait(f"/^Done/.test({STATUS})", "the run", 60)
    shown = browser.run("return document.getElementById('output').textContent")
    assert shown == native(tool, device.parent, *line) and shown, shown


def check_examples(browser, tool):
    """Each example is a click away, and its first view is what the tool prints."""
    folder = WEB / "dist/examples"
    for name in json.loads((folder / "index.json").read_text()):
        browser.run(f"""
            {STATUS} = '';
            const examples = document.getElementById('examples');
            examples.value = {json.dumps(name)};
            examples.dispatchEvent(new Event('change'));
        """)
        browser.wait(f"document.getElementById('name').value === {json.dumps(name)}", "the name")
        wait_for_result(browser)
        shown = show(browser, tabs(browser)[0])
        line = browser.run("return document.getElementById('line').value")
        assert name in line and shown == native(tool, folder, *line.split()) and shown, (name, line, shown)


def check_pages(browser):
    """The pages of the tool work in the page, and its policy permits their scripts only."""
    drop(browser, "tour.isa", (DATA / "tour.isa").read_bytes())
    for title, selector in (("Bytes", "#tree .row"), ("Report", "svg, table"), ("Instructions", "input")):
        show(browser, title)
        count = f"document.getElementById('frame').contentDocument?.querySelectorAll({json.dumps(selector)}).length"
        browser.wait(f"{count} > 0", f"the page of {title}")
    blocked = browser.run("""
        const script = document.createElement('script');
        script.textContent = 'window.injected = true';
        document.body.append(script);
        return window.injected ?? false;
    """)
    assert blocked is False


def check_comparison(browser, tool):
    drop(browser, "dot.visaasm", (DATA / "dot.visaasm").read_bytes())
    show_compare = "[...document.querySelectorAll('#tabs button')].find(tab => tab.textContent === 'Differences').click()"
    browser.run(show_compare)
    encoded = base64.b64encode((DATA / "dot-unrolled.visaasm").read_bytes()).decode()
    browser.run(f"""
        {STATUS} = '';
        const bytes = Uint8Array.from(atob('{encoded}'), c => c.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], 'dot-unrolled.visaasm'));
        const field = document.getElementById('second');
        field.files = transfer.files;
        field.dispatchEvent(new Event('change'));
    """)
    browser.wait(f"/^Done/.test({STATUS})", "the comparison")
    shown = browser.run("return document.getElementById('output').textContent")
    assert shown == native(tool, DATA, "diff", "dot.visaasm", "dot-unrolled.visaasm")
    show(browser, "Compare")
    page = "document.getElementById('frame').contentDocument?.body.textContent"
    browser.wait(f"{page}?.includes('dot-unrolled.visaasm')", "the page of the comparison")


def check_typing(browser):
    """Findings are shown while typing, and lead to their places."""
    drop(browser, "k.cl", b"")
    source = 'kernel void k(int x) { __asm__("mvo (M1, 16) %0(0,0)<1> 1:d" : "=rw"(x)); }'
    browser.run(f"""
        const text = document.getElementById('text');
        text.value = {json.dumps(source)};
        text.dispatchEvent(new Event('input'));
    """)
    first = "document.querySelector('#findings button')"
    browser.wait(f"{first}?.textContent.includes('unknown instruction')", "a finding")
    assert browser.run(UNDERLINED) == "mvo"
    browser.run(f"{first}.click()")
    selected = browser.run("return document.getElementById('text').selection")
    assert selected == "mvo", selected
    # What a person types replaces the selection.
    browser.run("document.execCommand('insertText', false, 'mov')")
    browser.wait("document.getElementById('findings-title').textContent === 'Findings: 0'", "no findings")
    assert "mov (M1, 16)" in browser.run("return document.getElementById('text').value")


def check_editor(browser):
    """vISA is highlighted, and texts of other languages are shown as they are."""
    inside = "document.getElementById('text').shadowRoot.querySelector"
    texts = f"return [...{inside}All(SELECTOR)].map(one => one.textContent)"
    text = '.version 4.2\n.kernel "k" // a note\n/* two\nlines */\nmov (M1, 16) x(0,0)<1> 0x1:d\nadd.sat (M1, 16) V32\n'
    drop(browser, "some.visaasm", text.encode())
    expected = {".tok-keyword": [".version", ".kernel", "mov", "add"], ".tok-string": ['"k"'], ".tok-typeName": ["d"],
                ".tok-comment": ["// a note", "/* two", "lines */"]}
    for selector, found in expected.items():
        shown = browser.run(texts.replace("SELECTOR", repr(selector)))
        assert shown == found, (selector, shown)
    drop(browser, "k.cl", b"kernel void mov(int x) {}")
    assert browser.run(texts.replace("SELECTOR", "'.tok-keyword'")) == []


def check_errors(browser):
    """Errors of a text are findings, which are underlined."""
    drop(browser, "bad.visaasm", b'.version 4.2\n.kernel "k"\nmvo (M1, 16)\n')
    titles = browser.run("return document.getElementById('findings-title').textContent")
    shown = browser.run("return document.getElementById('findings').textContent")
    expected = "3:1 error[syntax] unknown instruction `mvo`did you mean `mov`?"
    assert titles == "Findings: 1" and shown == expected, (titles, shown)
    assert browser.run(UNDERLINED) == "mvo"


def check_names(browser):
    """Names of files may contain what has a meaning in a command line."""
    drop(browser, "dot.visaasm", (DATA / "dot.visaasm").read_bytes())
    expected = show(browser, "Statistics")
    for name in ("-x.visaasm", "a b.visaasm", "SECOND.visaasm", "it's.visaasm", 'a "b".visaasm', "$&.visaasm"):
        drop(browser, name, (DATA / "dot.visaasm").read_bytes())
        assert show(browser, "Statistics") == expected, name


def check_link(browser, url):
    """A link contains the state."""
    drop(browser, "dot.visaasm", (DATA / "dot.visaasm").read_bytes())
    expected = show(browser, "Statistics")
    browser.run("document.getElementById('link').click()")
    browser.wait("location.hash.length > 10", "a link")
    link = browser.run("return location.href")
    browser.open("about:blank")
    browser.open(link)
    browser.wait(f"/^Done/.test({STATUS})", "the state")
    assert browser.run("return document.getElementById('name').value") == "dot.visaasm"
    assert browser.run("return document.getElementById('output').textContent") == expected
    browser.open("about:blank")
    browser.open(url + "#damaged")
    browser.wait("document.getElementById('name').value.length > 0", "an example in place of a damaged link")


def check_large(browser):
    """Inputs of 10 MB leave the page responsive."""
    text = large_text().encode()
    many = b"".join(text.replace(b'"large"', b'"large%d"' % index) for index in range(4))
    browser.run("""
        (function frame() {
          const now = performance.now();
          window.longest = Math.max(window.longest, now - window.last);
          window.last = now;
          requestAnimationFrame(frame);
        })();
    """)
    begin = time.monotonic()
    drop(browser, "ten.visaasm", many)
    longest = browser.run("return window.longest")
    print(f"{len(many) / 1e6:.0f} MB: {time.monotonic() - begin:.1f} s to the facts, at most {longest:.0f} ms without a frame")
    assert longest < 1000, longest
    begin = time.monotonic()
    drop(browser, "large.visaasm", text)
    print(f"1 MB: {time.monotonic() - begin:.1f} s to the facts and findings")


def check_accessibility(browser):
    """axe finds no violations, in all kinds of views."""
    axe = (WEB / "node_modules/axe-core/axe.min.js").read_text()
    for name, data in (("tour.isa", (DATA / "tour.isa").read_bytes()),
                       ("mistakes.cl", (DATA / "inline/mistakes.cl").read_bytes())):
        drop(browser, name, data)
        found = browser.run_async(axe + """;
            axe.run(document, {iframes: false}).then(result => arguments[arguments.length - 1](
                result.violations.map(one => one.id + ': ' + one.nodes.map(node => node.html).join(' '))));
        """)
        assert found == [], "\n".join(found)


def main(tool, folder=None):
    tool = pathlib.Path(tool).resolve()
    url = serve()
    with Browser() as browser:
        begin = time.monotonic()
        browser.open(url)
        browser.wait(f"/^Done/.test({STATUS})", "the first example", 60)
        print(f"first answer: {time.monotonic() - begin:.1f} s")
        check_inputs(browser, tool)
        check_examples(browser, tool)
        check_pages(browser)
        check_comparison(browser, tool)
        check_typing(browser)
        check_editor(browser)
        check_errors(browser)
        check_names(browser)
        check_link(browser, url)
        check_large(browser)
        check_accessibility(browser)
    for dark in (False, True):
        for width in (1300, 390):
            with Browser(width, 850, dark) as browser:
                browser.open(url)
                browser.wait(f"/^Done/.test({STATUS})", "the first example", 60)
                check_accessibility(browser)
                wide = browser.run("return document.documentElement.scrollWidth <= window.innerWidth")
                assert wide, f"the page is wider than {width} pixels"
                if folder:
                    drop(browser, "mistakes.cl", (DATA / "inline/mistakes.cl").read_bytes())
                    name = f"{'dark' if dark else 'light'}-{width}.png"
                    pathlib.Path(folder, name).write_bytes(browser.screenshot())
    print("the page: passed")


if __name__ == "__main__":
    main(*sys.argv[1:])
