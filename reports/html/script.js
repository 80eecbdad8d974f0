// SPDX-License-Identifier: Apache-2.0
'use strict';
// Without this script the page is whole; with it, tables sort and a box filters.
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

  const sort = (table, head, column) => {
    const sign = head.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [key(row.cells[column]), row]);
    rows.sort((a, b) => compare(a[0], b[0], sign));
    body.append(...rows.map((pair) => pair[1]));
  };

  // A button in each heading: it takes the focus, and Enter and the space bar press it.
  for (const table of document.querySelectorAll('table.sorts')) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      button.addEventListener('click', () => sort(table, head, column));
      head.append(button);
    });
  }

  // A row stays when it, with the operator it stands under, has every word.
  const filter = (words) => {
    const has = (text) => words.every((word) => text.includes(word));
    const rows = document.querySelectorAll('tbody tr, .failure');
    let kept = 0;
    for (const row of rows) {
      const section = row.closest('.operator');
      const name = section ? section.querySelector('h3').textContent + ' ' : '';
      const fits = has((name + row.textContent).toLowerCase());
      row.classList.toggle('hidden', !fits);
      kept += fits;
    }
    for (const section of document.querySelectorAll('.operator'))
      section.classList.toggle('hidden', words.length > 0 && !section.querySelector('tbody tr:not(.hidden)'));
    return words.length ? `${kept} of ${rows.length} rows` : '';
  };
  const box = document.querySelector('.filter');
  box.hidden = false;
  box.querySelector('input').addEventListener('input', (event) => {
    box.querySelector('output').textContent = filter(event.target.value.toLowerCase().split(/\s+/).filter(Boolean));
  });
})();
