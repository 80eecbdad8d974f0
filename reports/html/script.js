// SPDX-License-Identifier: Apache-2.0
'use strict';
// Without this script the page can be read, its charts being files beside it; with it tables sort, a box filters, what
// was sorted and filtered stands in the address, and the charts of an operator are drawn when it is opened.
(() => {
  const key = (cell) => cell.dataset.sort === undefined ? cell.textContent : Number(cell.dataset.sort);

  // Numbers before texts, and what was not measured last, whichever way.
  const compare = (a, b, sign) => {
    const empty = (v) => v === '' || v === '-';
    if (empty(a) || empty(b)) return empty(a) - empty(b);
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
    return sign * a.localeCompare(b, undefined, {numeric: true});
  };

  const sort = (table, head, sign) => {
    const column = head.cellIndex;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [key(row.cells[column]), row]);
    rows.sort((a, b) => compare(a[0], b[0], sign));
    body.append(...rows.map((pair) => pair[1]));
  };

  // ---- the address: what follows its # is a place of the page, or filter=WORDS&sort=TABLE:COLUMN:WAY, a sort for each
  // table that was sorted

  const box = document.querySelector('.filter');
  const input = box.querySelector('input');
  const tables = [...document.querySelectorAll('table.sorts')];
  const name = (table) => table.parentElement.getAttribute('aria-label');

  const remember = () => {
    const state = new URLSearchParams();
    if (input.value.trim()) state.set('filter', input.value.trim());
    for (const table of tables) {
      const head = table.querySelector('[aria-sort]');
      if (head) state.append('sort', `${name(table)}:${head.cellIndex}:${head.getAttribute('aria-sort')}`);
    }
    history.replaceState(null, '', '#' + state);
  };

  // A button in each heading: it takes the focus, and Enter and the space bar press it.
  for (const table of tables) {
    for (const head of table.tHead.rows[0].cells) {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      button.addEventListener('click', () => {
        sort(table, head, head.getAttribute('aria-sort') === 'ascending' ? -1 : 1);
        remember();
      });
      head.append(button);
    }
  }

  // ---- charts

  // A pack of charts by their numbers; unpacked once.
  const packs = new Map();
  const unpack = (kind) => {
    if (!packs.has(kind)) {
      const bytes = Uint8Array.from(atob(document.getElementById('pack-' + kind).textContent), (c) => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
      packs.set(kind, new Response(stream).text().then((text) => new Map(text.split('\0').map((entry) => {
        const end = entry.indexOf('\n');
        return [entry.slice(0, end), entry.slice(end + 1)];
      }))));
    }
    return packs.get(kind);
  };
  // A browser that cannot unpack leaves the links to the files.
  const draw = async (figure) => {
    const link = figure.querySelector(':scope > a');
    if (!link || figure.dataset.drawn || !window.DecompressionStream) return;
    figure.dataset.drawn = 1;
    const picture = (await unpack(figure.dataset.pack)).get(figure.dataset.at);
    if (picture) link.outerHTML = picture;
  };
  const draw_in = (section) => Promise.all([...section.querySelectorAll('figure[data-pack]')].map(draw));
  const folded = [...document.querySelectorAll('details.operator')];
  for (const section of folded) section.addEventListener('toggle', () => { if (section.open) draw_in(section); });

  // ---- the filter

  const OPENED = 8; // operators that a filter leaves are opened where they are so few

  // A row stays when it, with the operator it stands under, has every word.
  const filter = (words) => {
    const has = (text) => words.every((word) => text.includes(word));
    const rows = document.querySelectorAll('tbody tr, .filtered');
    let kept = 0;
    for (const row of rows) {
      const section = row.closest('.operator');
      const name = section ? section.querySelector('h3').textContent + ' ' : '';
      const fits = has((name + row.textContent).toLowerCase());
      row.classList.toggle('hidden', !fits);
      kept += fits;
    }
    const left = [];
    for (const section of document.querySelectorAll('.operator')) {
      const fits = !words.length || section.querySelector('tbody tr:not(.hidden)');
      section.classList.toggle('hidden', !fits);
      if (fits && folded.includes(section)) left.push(section);
    }
    if (words.length && left.length <= OPENED) for (const section of left) section.open = true;
    box.querySelector('output').textContent = words.length ? `${kept} of ${rows.length} rows` : '';
  };
  const filter_by = (value) => filter(value.toLowerCase().split(/\s+/).filter(Boolean));
  box.hidden = false;
  input.addEventListener('input', () => {
    filter_by(input.value);
    remember();
  });

  // ---- as the address says

  const arrive = () => {
    const at = decodeURIComponent(location.hash.slice(1));
    const place = document.getElementById(at);
    if (place && place.tagName === 'DETAILS') place.open = true;
    if (place) place.scrollIntoView();
    if (place || !at.includes('=')) return;
    const state = new URLSearchParams(location.hash.slice(1));
    for (const one of state.getAll('sort')) {
      const [, table, column, way] = one.match(/^(.*):(\d+):(ascending|descending)$/) || [];
      const found = tables.find((candidate) => name(candidate) === table);
      const head = found && found.tHead.rows[0].cells[column];
      if (head) sort(found, head, way === 'ascending' ? 1 : -1);
    }
    input.value = state.get('filter') || '';
    filter_by(input.value);
  };
  addEventListener('hashchange', arrive);
  arrive();
})();
