#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Renders results and opens their pages in a browser, as a reader would:
    page_check.py [--browser PROGRAM] [--axe FILE] [--pictures DIR] PROGRAM RESULT...

Every page must
  - load without a console message, and fetch nothing;
  - draw each of its charts, an operator's only when it is opened;
  - sort, filter, and keep both in its address;
  - fit a phone, and print without its controls;
  - be legible in light and dark, and readable without its script;
  - show a title and a description where it is shared.

The same holds for pages of names that are markup: of one device, of two, of a gallery, of a history and of claims. It
also holds for pages of mutants, of other programs and of a joined table. The largest pages must appear within a second
and stay within their sizes. With --axe (axe.min.js of axe-core), the small pages of each kind must pass it too. With
--pictures, the pages are kept as PNG and PDF. Prints all faults and exits with 1 if there are any.

Uses only the standard library: Chromium's DevTools protocol over a pipe, one JSON text per message, each ended by a
NUL."""
import argparse
import collections
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / 'scripts'))
import packed

PATIENCE = 180 # seconds for one answer of the browser
PHONE = 390    # pixels: a common phone in portrait
LARGEST = {'quick': 2e6, 'full': 8e6} # bytes of a result's page, by suite
MEMORY = 150e6 # bytes owned by the process that draws quick's page
ON_SCREEN = 1  # seconds until the first paint
SMALL = 600e3  # bytes of the largest page for axe; larger ones only have more of the same
LOOKS = ((1400, 'light', ''), (800, 'dark', ''), (PHONE, 'light', ''), (PHONE, 'dark', ''), (1400, 'light', 'print'))
ROOT = pathlib.Path(__file__).resolve().parents[3]
HOSTILE = '"><img src=x onerror=alert(1)><script>console.log(1)</script>'


class Browser:
    """A headless Chromium with one page."""

    def __init__(self, program, folder):
        to_child, self.write = os.pipe()
        self.read, from_child = os.pipe()
        # The browser speaks the protocol on file descriptors 3 and 4.
        line = (f'exec "$@" 3<&{to_child} 4>&{from_child}')
        self.child = subprocess.Popen(
            ['bash', '-c', line, 'bash', program, '--headless', '--no-sandbox', '--disable-gpu', '--no-first-run',
             '--disable-dev-shm-usage', '--hide-scrollbars', '--remote-debugging-pipe', f'--user-data-dir={folder}',
             'about:blank'], pass_fds=(to_child, from_child), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.buffer, self.last, self.session, self.events = b'', 0, None, []
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.call(f'{domain}.enable')

    def receive(self):
        while b'\0' not in self.buffer:
            part = os.read(self.read, 1 << 20)
            if not part:
                raise SystemExit('page_check: the browser has gone')
            self.buffer += part
        message, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(message)

    def call(self, method, **params):
        self.last += 1
        message = {'id': self.last, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.write, data):]
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            answer = self.receive()
            if answer.get('id') == self.last:
                if 'error' in answer:
                    raise SystemExit(f'page_check: {method}: {answer["error"]["message"]}')
                return answer['result']
            self.events.append(answer)
        raise SystemExit(f'page_check: {method}: no answer within {PATIENCE} s')

    def load(self, url):
        self.events = []
        self.call('Page.navigate', url=url)
        end = time.monotonic() + PATIENCE
        while not any(e.get('method') == 'Page.loadEventFired' for e in self.events):
            if time.monotonic() > end:
                raise SystemExit(f'page_check: {url} did not load')
            self.events.append(self.receive())

    def open(self, path, fragment=''):
        if fragment:
            self.load('about:blank') # changing only the fragment would load nothing
        self.load(path.resolve().as_uri() + fragment)

    def evaluate(self, expression):
        """Returns the value of a JavaScript expression."""
        answer = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise SystemExit(f'page_check: {expression[:60]}: {json.dumps(answer["exceptionDetails"])[:300]}')
        return answer['result'].get('value')

    def size(self, width, height, phone=False):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def media(self, kind='', scheme='light'):
        self.call('Emulation.setEmulatedMedia', media=kind, features=[{'name': 'prefers-color-scheme', 'value': scheme}])

    def press(self, key, code, text):
        for kind in ('keyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', type=kind, key=key, code=key if key != ' ' else 'Space', text=text,
                      windowsVirtualKeyCode=code)

    def close(self):
        self.session = None
        os.close(self.write)
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


# Checks in JavaScript; each returns a list of faults.
CHARTS = '''(() => {
  const wrong = [];
  const name = (figure) => figure.getAttribute('aria-label');
  for (const figure of document.querySelectorAll('figure')) {
    if (figure.closest('details:not([open])')) continue;
    const svg = figure.querySelector('svg');
    if (!svg) { wrong.push(name(figure) + ': no svg'); continue; }
    const box = svg.getBoundingClientRect();
    if (box.width < 200 || box.height < 100) wrong.push(name(figure) + ': ' + box.width + ' x ' + box.height + ' pixels');
    const drawn = [...svg.querySelectorAll('path, polygon, rect, circle, use')].filter((e) => {
      const b = e.getBBox();
      return b.width + b.height > 0;
    });
    if (drawn.length < 5) wrong.push(name(figure) + ': only ' + drawn.length + ' things drawn');
    if (svg.querySelectorAll('text').length < 4) wrong.push(name(figure) + ': hardly any text');
    if (!name(figure)) wrong.push('a chart without a name');
  }
  for (const mark of document.querySelectorAll('svg use')) {
    const at = mark.getAttribute('xlink:href') || mark.getAttribute('href');
    if (!document.querySelector(CSS.escape ? '#' + CSS.escape(at.slice(1)) : at)) wrong.push('nothing is called ' + at);
  }
  const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
  if (new Set(ids).size !== ids.length) wrong.push('an id stands twice');
  return wrong;
})()'''

# A drawn chart is readable at the width of a phone: no text is below 9 pixels, none covers another or leaves the picture,
# the title has one line, each axis has two figures, and lines have four patterns. A box draws its text twice.
READABLE = '''(() => {
  const wrong = [];
  for (const svg of document.querySelectorAll('figure svg')) {
    const name = svg.closest('figure').getAttribute('aria-label'), picture = svg.getBoundingClientRect();
    if (!picture.width) continue;
    const texts = [...svg.querySelectorAll('text')].filter((t) => t.textContent.trim());
    const boxes = texts.map((t) => t.getBoundingClientRect()), words = texts.map((t) => t.textContent.trim());
    const scale = picture.width / svg.viewBox.baseVal.width, add = (what) => wrong.push(name + ': ' + what);
    for (const [i, a] of boxes.entries()) {
      const size = scale * parseFloat(getComputedStyle(texts[i]).fontSize);
      if (size < 9) add(size.toFixed(1) + ' pixels: ' + words[i]);
      if (a.left < picture.left - 1 || a.right > picture.right + 1 || a.bottom > picture.bottom + 1) add('cut off: ' + words[i]);
      for (const [k, b] of boxes.entries())
        if (k > i && words[i] !== words[k] && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.3 * Math.min(a.height, b.height))
          add(words[i] + ' covers ' + words[k]);
    }
    const patterns = new Set([...svg.querySelectorAll('[stroke-dasharray]')].map((e) => e.getAttribute('stroke-dasharray')));
    if (patterns.size > 3) add((1 + patterns.size) + ' patterns of lines');
    // Figures of axes are grey: those of x share a bottom, those of y a right end. The title alone has letters of 14.
    const grey = boxes.filter((b, i) => getComputedStyle(texts[i]).fill === 'rgb(85, 85, 85)');
    const most = (of) => Math.max(0, ...grey.map((a) => grey.filter((b) => Math.abs(of(a) - of(b)) < 1).length));
    const x = most((b) => b.bottom), y = most((b) => b.right);
    if (x < 2 || (grey.length > x && y < 2)) add('axes with ' + x + ' and ' + y + ' figures');
    const heads = texts.filter((t) => getComputedStyle(t).fontSize === '14px');
    if (heads.length !== 1) add('a title of ' + heads.length + ' lines');
  }
  return wrong.slice(0, 8);
})()'''

SORTS = '''(() => {
  const wrong = [];
  const empty = (v) => v === '' || v === '-';
  const value = (cell) => cell.dataset.sort === undefined ? cell.textContent : Number(cell.dataset.sort);
  // Empty cells last whichever way, numbers as numbers.
  const inOrder = (values, sign) => {
    const full = values.filter((v) => !empty(v));
    if (values.slice(0, full.length).some(empty)) return false;
    for (let i = 1; i < full.length; i++) {
      const [a, b] = [full[i - 1], full[i]];
      if (typeof a === 'number' && typeof b === 'number' && sign * (a - b) > 0) return false;
      if (typeof a === 'string' && typeof b === 'string' && sign * a.localeCompare(b, undefined, {numeric: true}) > 0) return false;
    }
    return true;
  };
  for (const table of document.querySelectorAll('table.sorts')) {
    if (table.closest('details:not([open])')) continue;
    const heads = table.tHead.rows[0].cells, before = table.tBodies[0].rows.length;
    for (let c = 0; c < heads.length; c++)
      for (const sign of [1, -1]) {
        const button = heads[c].querySelector('button');
        if (!button) { wrong.push('a column without a button: ' + heads[c].textContent); continue; }
        button.click();
        const values = [...table.tBodies[0].rows].map((row) => value(row.cells[c]));
        const way = sign > 0 ? 'ascending' : 'descending';
        if (!inOrder(values, sign)) wrong.push(heads[c].textContent + ' does not sort ' + way + ': ' + values.slice(0, 8));
        if (heads[c].getAttribute('aria-sort') !== way) wrong.push(heads[c].textContent + ': aria-sort is ' + heads[c].getAttribute('aria-sort'));
        if (table.querySelectorAll('[aria-sort]').length !== 1) wrong.push('more columns than one are sorted');
      }
    if (table.tBodies[0].rows.length !== before) wrong.push('sorting lost rows');
  }
  return wrong;
})()'''

# Opens the first operators, waits until their charts are drawn, and returns the number of charts.
OPENED = '''(async () => {
  for (const section of [...document.querySelectorAll('details.operator')].slice(0, 12)) section.open = true;
  for (let i = 0; i < 600 && document.querySelector('[open] figure[data-pack] > a'); i++)
    await new Promise((done) => setTimeout(done, 50));
  return document.querySelectorAll('figure svg').length;
})()'''

FILTERED = '''((words) => {
  const wrong = [], shown = (row) => !row.closest('.hidden');
  let kept = 0, gone = 0;
  for (const row of document.querySelectorAll('tbody tr, .filtered')) {
    const section = row.closest('.operator');
    const text = ((section ? section.querySelector('h3').textContent + ' ' : '') + row.textContent).toLowerCase();
    const fits = words.every((word) => text.includes(word));
    if (shown(row) !== fits) wrong.push((fits ? 'hidden: ' : 'shown: ') + row.textContent.slice(0, 60));
    if (fits) kept++; else gone++;
  }
  return {wrong: wrong.slice(0, 5), kept, gone};
})'''

CONTRAST = '''(() => {
  const numbers = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map((v) => v / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = (colour) => { const [r, g, b] = numbers(colour); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const paper = light(getComputedStyle(document.body).backgroundColor), wrong = [];
  for (const what of ['body', '.note', 'td', 'a', 'figcaption', 'svg text']) {
    const element = document.querySelector(what);
    if (!element) continue;
    const style = getComputedStyle(element), ink = light(what === 'svg text' ? style.fill : style.color);
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (ratio < 4.5) wrong.push(what + ': contrast of ' + ratio.toFixed(1));
  }
  return wrong;
})()'''

OVERFLOW = '''(() => {
  const wrong = [], width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) {
    wrong.push('the page is ' + document.documentElement.scrollWidth + ' pixels wide, the screen ' + width);
    for (const e of document.querySelectorAll('body *'))
      if (!e.closest('.wide, figure') && e.getBoundingClientRect().right > width + 1 && wrong.length < 4)
        wrong.push(e.tagName + '.' + e.className + ' reaches ' + e.getBoundingClientRect().right);
  }
  return wrong;
})()'''

# At a width of 1400 pixels, the tables of a history, of claims, of devices and of a gallery are visible, but its matrix without scrolling.
FITS = '''(() => {
  const wrong = [], width = document.documentElement.clientWidth;
  for (const table of document.querySelectorAll('#changes table, #points table, #runs table, #verdicts table, #pairs table, #families table, #shapes table, #results table'))
    if (table.getBoundingClientRect().right > width)
      wrong.push(table.parentElement.getAttribute('aria-label') + ' reaches ' + table.getBoundingClientRect().right);
  return wrong;
})()'''

# At a width of 1400 pixels, every table of a result's page is visible without scrolling, by its first nine columns. A click shows the rest.
# No row of sizes has only dashes.
TABLES = '''(() => {
  const wrong = [], width = document.documentElement.clientWidth;
  for (const section of document.querySelectorAll('details.operator')) section.open = true;
  for (const table of document.querySelectorAll('#operators table, #pick table, #best table')) {
    const heads = [...table.tHead.rows[0].cells], at = table.parentElement.getAttribute('aria-label');
    const shown = () => heads.filter((head) => head.getClientRects().length).length;
    if (!table.getClientRects().length) continue;
    if (table.getBoundingClientRect().right > width) wrong.push(at + ' reaches ' + table.getBoundingClientRect().right);
    if (shown() > 9) wrong.push(at + ' shows ' + shown() + ' columns');
    const more = table.parentElement.previousElementSibling;
    if (heads.length <= 9) continue;
    more.querySelector('input').click();
    if (shown() !== heads.length) wrong.push(at + ' shows ' + shown() + ' of ' + heads.length + ' columns after a click');
    more.querySelector('input').click();
  }
  for (const section of document.querySelectorAll('details.operator')) section.open = false;
  for (const row of document.querySelectorAll('#best tbody tr')) {
    const heads = row.closest('table').tHead.rows[0].cells;
    const choice = [...row.cells].filter((cell, i) => /^(over|system)/.test(heads[i].textContent));
    if (choice.length && choice.every((cell) => /^-?$/.test(cell.textContent.trim()))) wrong.push('only dashes: ' + row.textContent);
  }
  return wrong.slice(0, 5);
})()'''

# The three answers are visible without scrolling.
ANSWERED = '''(() => {
  const answers = document.querySelector('dl.answers');
  if (!answers) return [];
  const bottom = answers.getBoundingClientRect().bottom, height = window.innerHeight;
  return bottom > height ? ['the answers end at ' + bottom + ' of ' + height + ' pixels'] : [];
})()'''

PRINTED = '''(() => {
  const wrong = [];
  for (const control of document.querySelectorAll('nav, input, .filter, .more'))
    if (control.getClientRects().length) wrong.push(control.tagName + ' is printed');
  for (const box of document.querySelectorAll('.wide'))
    if (getComputedStyle(box).overflowX !== 'visible') { wrong.push('a table is cut off'); break; }
  return wrong;
})()'''


def page_output(browser):
    """Returns console messages and requests of the page as faults."""
    wrong, fetched = [], 0
    for event in browser.events:
        method, params = event.get('method'), event.get('params', {})
        if method == 'Runtime.consoleAPICalled':
            wrong.append('console: ' + ' '.join(str(a.get('value')) for a in params['args']))
        elif method == 'Runtime.exceptionThrown':
            wrong.append('exception: ' + params['exceptionDetails'].get('exception', {}).get('description', '?'))
        elif method == 'Log.entryAdded':
            wrong.append('log: ' + params['entry']['text'])
        elif method == 'Page.javascriptDialogOpening':
            wrong.append('a dialog opened: ' + params['message'])
        elif method == 'Network.requestWillBeSent':
            fetched += 1
            if fetched > 1:
                wrong.append('fetched ' + params['request']['url'][:80])
    return wrong


def tells_links(browser):
    """Checks the data for shared links: a title, a description, and no picture without an absolute address."""
    told = browser.evaluate("""Object.fromEntries([...document.querySelectorAll('meta[property], meta[name=description]')]
        .map((m) => [m.getAttribute('property') || m.getAttribute('name'), m.content]))""")
    wrong = [f'no {name}' for name in ('description', 'og:title', 'og:description') if not told.get(name)]
    if told.get('og:title') != browser.evaluate('document.title'):
        wrong.append(f'og:title is {told.get("og:title")}')
    if not told.get('og:image', 'https://').startswith('https://'):
        wrong.append(f'og:image is relative: {told["og:image"]}')
    return wrong


def keys_sort(browser):
    """Checks that Enter and the space bar sort by the column in focus."""
    wrong = []
    for key, code, text, way in (('Enter', 13, '\r', 'ascending'), (' ', 32, ' ', 'descending')):
        first = "[...document.querySelectorAll('table.sorts th')].find((head) => !head.closest('details:not([open])'))"
        browser.evaluate(f"{first}.querySelector('button').focus()")
        browser.press(key, code, text)
        got = browser.evaluate(f"{first}.getAttribute('aria-sort')")
        if got != way:
            wrong.append(f'after {key!r} the first column is {got}, not {way}')
    return wrong


def filters(browser):
    """Checks that typed words keep only the rows with them, and that no words keep all rows."""
    words = browser.evaluate("""(() => { const rows = (document.querySelector('#best tbody, #pairs tbody, #points tbody, #verdicts tbody, #shapes tbody, #kernels tbody, #rows tbody')
        || document.querySelector('#operators tbody')).rows;
        const cells = rows[rows.length - 1].cells; return [cells[0].textContent, cells[1].textContent].map((t) => t.toLowerCase()); })()""")
    browser.evaluate("document.querySelector('.filter input').focus()")
    browser.call('Input.insertText', text=' '.join(words))
    typed = browser.evaluate(f'{FILTERED}({json.dumps(" ".join(words).split())})')
    wrong = typed['wrong']
    if not typed['kept'] or (not typed['gone'] and browser.evaluate("document.querySelectorAll('tbody tr').length") > 20):
        wrong.append(f'filtering for {words}: {typed["kept"]} rows kept, {typed["gone"]} gone')
    said = browser.evaluate("document.querySelector('.filter output').textContent")
    if str(typed['kept']) not in said.split():
        wrong.append(f'the filter says {said!r} of {typed["kept"]} rows')
    browser.evaluate("(() => { const i = document.querySelector('.filter input'); i.value = ''; i.dispatchEvent(new Event('input')); })()")
    everything = browser.evaluate(f'{FILTERED}([])')
    return wrong + everything['wrong']


def address_remembers(browser, path):
    """Checks that opening the address again restores filter and sorting."""
    said = 'JSON.stringify([document.querySelector(".filter input").value, ' \
           '[...document.querySelectorAll("[aria-sort]")].map((h) => h.textContent + h.getAttribute("aria-sort")), ' \
           'document.querySelectorAll("tbody tr.hidden").length])'
    browser.evaluate("""(() => { const i = document.querySelector('.filter input'); i.value = 'f32';
        i.dispatchEvent(new Event('input'));
        const heads = document.querySelectorAll('table.sorts th:last-child button'); heads[0].click(); heads[0].click(); })()""")
    before, address = browser.evaluate(said), browser.evaluate('location.hash')
    browser.open(path)
    browser.open(path, address)
    after = browser.evaluate(said)
    return [] if before == after and 'descending' in after else [f'of {before} the address {address} keeps {after}']


def without_script(browser, path):
    """Checks that tables are readable without the script, and that links to charts lead to existing files."""
    browser.call('Emulation.setScriptExecutionDisabled', value=True)
    browser.open(path)
    found = browser.evaluate("""({rows: document.querySelectorAll('tbody tr').length,
        links: [...document.querySelectorAll('figure > a')].map((a) => decodeURIComponent(a.getAttribute('href')))})""")
    browser.call('Emulation.setScriptExecutionDisabled', value=False)
    wrong = [] if found['rows'] else ['without script there is no row']
    return wrong + [f'without script: no file {link}' for link in found['links'] if not (path.parent / link).is_file()]


def opens_by_link(browser, path):
    """Checks that a link to an operator opens it and draws its charts."""
    name = browser.evaluate("(document.querySelector('details.operator:has(figure)') || {}).id")
    if not name:
        return []
    browser.open(path, '#' + name)
    drawn = browser.evaluate(f"""(async () => {{ const section = document.getElementById('{name}');
        for (let i = 0; i < 200 && section.querySelector('figure > a'); i++) await new Promise((done) => setTimeout(done, 50));
        return [section.open, section.querySelectorAll('figure svg').length, document.querySelectorAll('details[open] figure').length]; }})()""")
    return [] if drawn[0] and drawn[1] == drawn[2] else [f'#{name}: open, drawn, of: {drawn}']


def heeds_axe(browser, path, axe):
    """Returns the findings of axe-core at all widths, in light, dark and print."""
    wrong = []
    for width, scheme, kind in LOOKS:
        browser.media(kind, scheme)
        browser.size(width, 900, width == PHONE)
        browser.open(path)
        browser.evaluate(axe + ';0')
        found = browser.evaluate("""axe.run(document, {resultTypes: ['violations', 'passes']}).then((r) => [r.passes.length, r.violations.map(
            (v) => v.id + ' (' + v.nodes.length + '): ' + v.nodes[0].html.slice(0, 120))])""")
        wrong += [f'axe at {width}, {scheme} {kind}: {one}' for one in found[1]]
        if found[0] < 10:
            wrong.append(f'axe looked at {found[0]} rules alone')
    return wrong


def own_memory(browser):
    """Returns the private memory of the largest page process, in bytes."""
    session, browser.session = browser.session, None # asks the browser, not its page
    processes = browser.call('SystemInfo.getProcessInfo')['processInfo']
    browser.session = session
    most = 0
    for process in processes:
        if process['type'] == 'renderer':
            lines = pathlib.Path(f'/proc/{process["id"]}/smaps_rollup').read_text().splitlines()
            most = max(most, sum(1024 * int(line.split()[1]) for line in lines if line.startswith('Private_')))
    return most


def weighs(browser, path, suite, name):
    """Checks size, first paint and memory of a large page. The best of three paints counts, because a busy host delays them."""
    wrong, size, paint = [], path.stat().st_size, []
    if size > LARGEST[suite]:
        wrong.append(f'the page has {size} bytes, more than {LARGEST[suite]:.0f}')
    browser.media()
    browser.size(1400, 900)
    while len(paint) < 3 and (not paint or min(paint) > ON_SCREEN):
        browser.open(path)
        paint.append(browser.evaluate("""(async () => { for (let i = 0; i < 100; i++) {
            const seen = performance.getEntriesByName('first-contentful-paint');
            if (seen.length) return seen[0].startTime / 1000;
            await new Promise((done) => setTimeout(done, 50)); } return 99; })()"""))
    memory = own_memory(browser)
    if min(paint) > ON_SCREEN:
        wrong.append(f'on the screen after {min(paint):.2f} s')
    if suite == 'quick' and memory > MEMORY:
        wrong.append(f'{memory / 1e6:.0f} MB in the browser')
    for line in wrong:
        print(f'{name}: {line}')
    print(f'{name}: {size / 1e6:.2f} MB, on the screen after {min(paint):.2f} s, {memory / 1e6:.0f} MB in the browser')
    return not wrong


def keep(browser, pictures, name):
    """Keeps pictures of the page for people to look at."""
    def shot(kind):
        image = browser.call('Page.captureScreenshot', format='png')
        (pictures / f'{name}-{kind}.png').write_bytes(base64.b64decode(image['data']))
    browser.size(1280, 2400)
    shot('desktop')
    browser.media(scheme='dark')
    shot('dark')
    browser.media()
    browser.size(PHONE, 1800, True)
    shot('phone')
    browser.size(1280, 800)
    pdf = browser.call('Page.printToPDF', preferCSSPageSize=True)
    (pictures / f'{name}.pdf').write_bytes(base64.b64decode(pdf['data']))


def check(browser, path, least_charts, pictures, axe, name):
    browser.media()
    browser.size(1280, 800)
    browser.open(path)
    wrong = []
    if browser.evaluate("document.querySelectorAll('details.operator svg').length"):
        wrong.append('charts of operators are drawn before these are opened')
    charts = browser.evaluate(OPENED)
    if charts < least_charts:
        wrong.append(f'{charts} charts, expected {least_charts} or more')
    wrong += browser.evaluate(CHARTS) + browser.evaluate(CONTRAST) + tells_links(browser)
    if pictures:
        keep(browser, pictures, name)
    wrong += browser.evaluate(SORTS)
    browser.open(path)
    wrong += keys_sort(browser) + filters(browser)
    browser.media(scheme='dark')
    wrong += browser.evaluate(CONTRAST)
    browser.media('print')
    wrong += browser.evaluate(PRINTED)
    browser.media()
    browser.size(1400, 900)
    wrong += browser.evaluate(TABLES) + browser.evaluate(FITS) + browser.evaluate(ANSWERED)
    browser.size(PHONE, 844, True)
    browser.evaluate(OPENED)
    wrong += browser.evaluate(READABLE)
    wrong += browser.evaluate(OVERFLOW) + browser.evaluate(ANSWERED)
    wrong += page_output(browser)
    wrong += opens_by_link(browser, path) + address_remembers(browser, path) + without_script(browser, path)
    if axe and path.stat().st_size < SMALL:
        wrong += heeds_axe(browser, path, axe)
    rows = browser.evaluate("document.querySelectorAll('tbody tr').length")
    for line in wrong:
        print(f'{name}: {line}')
    print(f'{name}: {charts} charts, {rows} rows, {"wrong" if wrong else "right"}')
    return not wrong


def variant(path, folder, name, prefix, device, factor):
    """Writes two operators of a result as another device's. Every second shape takes `factor` times as long; names begin with `prefix`."""
    result = packed.result(path)
    counts = collections.Counter(record['operator'] for record in result['records']) # operators with the most records have several shapes
    operators = [operator for operator, _ in counts.most_common(2)]
    result['records'] = [r for r in result['records'] if r['operator'] in operators]
    result['device']['name'] = device
    for i, record in enumerate(result['records']):
        for member in ('operator', 'kernel', 'name', 'case'):
            if member in record: # results of the first version have no case
                record[member] = prefix + record[member]
        compute = (record.get('time') or {}).get('compute') or {}
        for figure in ('median_ns', 'lo_ns', 'hi_ns'):
            if i % 2 and figure in compute:
                compute[figure] *= factor
    (folder / name).mkdir()
    (folder / name / 'result.json').write_text(json.dumps(result))
    return folder / name / 'result.json'


def render(program, out, *results):
    subprocess.run([program, 'report', *results, '--quiet', '--out', out], check=True, stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--pictures', type=pathlib.Path)
    parser.add_argument('--browser', default='chromium')
    parser.add_argument('--axe', type=pathlib.Path)
    parser.add_argument('program')
    parser.add_argument('results', nargs='+', type=pathlib.Path)
    arguments = parser.parse_args()
    axe = arguments.axe.read_text() if arguments.axe else None
    if arguments.pictures:
        arguments.pictures.mkdir(parents=True, exist_ok=True)
    held = True
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        pages, large = [], []
        for i, result in enumerate(arguments.results):
            render(arguments.program, folder / f'page{i}', result)
            pages.append((folder / f'page{i}' / 'report.html', 1))
            if packed.result(result)['run']['suite'] == 'quick':
                large.append((pages[-1][0], 'quick'))
        first = arguments.results[0]
        marked = variant(first, folder, 'a', HOSTILE, HOSTILE, 1)
        other = variant(first, folder, 'b', HOSTILE, 'another ' + HOSTILE, 3)
        render(arguments.program, folder / 'marked', marked, other)
        render(arguments.program, folder / 'runs', marked, marked, marked, '--history')
        render(arguments.program, folder / 'claims', first, '--claims', 'claims')
        render(arguments.program, folder / 'marked', folder)
        examples = ROOT / 'reports' / 'examples'
        render(arguments.program, folder / 'mutants', examples / 'kernel-mutants-h200.json.gz')
        render(arguments.program, folder / 'peers', examples / 'nvidia-h200' / 'peers-result.json.gz', '--peers',
               examples / 'nvidia-h200' / 'peers.json.gz')
        render(arguments.program, folder / 'full', examples / 'nvidia-h200' / 'results' / 'full.json.gz')
        large.append((folder / 'full' / 'report.html', 'full'))
        pages += [(folder / 'marked' / '1' / 'report.html', 1), (folder / 'marked' / 'devices.html', 0),
                  (folder / 'marked' / 'gallery.html', 0), (folder / 'mutants' / 'mutants.html', 0),
                  (folder / 'peers' / 'report.html', 1), (folder / 'runs' / 'history.html', 1),
                  (folder / 'claims' / 'claims.html', 1)]
        for i, (path, suite) in enumerate(large): # a browser for each, free of traces of other pages
            browser = Browser(arguments.browser, folder / f'profile{i}')
            try:
                held = weighs(browser, path, suite, '-'.join(path.with_suffix('').relative_to(folder).parts)) and held
            finally:
                browser.close()
        browser = Browser(arguments.browser, folder / 'profile')
        try:
            for path, charts in pages:
                name = '-'.join(path.with_suffix('').relative_to(folder).parts)
                held = check(browser, path, charts, arguments.pictures, axe, name) and held
        finally:
            browser.close()
    return 0 if held else 1


if __name__ == '__main__':
    sys.exit(main())
