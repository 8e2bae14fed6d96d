'use strict';

const DAY = 86400000;
const HIDDEN = { 'aria-hidden': true };
const WINDOWS = { hour: 72, day: 92, week: 78, month: 60, year: 1000 };
const find = (selector, root = document) => root.querySelector(selector);
const bounds = (element) => element.getBoundingClientRect();
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const SIDES = [5, 7.2, 9.4, 11.6, 14];
let payload, unpacking;

// Payload

/** Works on the unpacked payload; a place says where the browser knows no gzip. */
async function withPayload(work, place) {
  unpacking ??= (async () => {
    const bytes = Uint8Array.from(atob(find('#payload').textContent.trim()), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    payload = await new Response(stream).json();
  })();
  try {
    if (!payload) await unpacking;
  } catch {
    if (place && !place.matches('.plain')) place.append(make('p', { class: 'caption' }, find('#payload').dataset.old));
    place?.classList.add('plain');
  }
  if (payload) work();
}

// Elements and words

/** Sets attributes, listeners, children; text enters as text. */
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else element.setAttribute(key, value);
  }
  element.append(...children.flat(2));
  return element;
}

/** Makes an element of the page. */
function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Makes an element of a drawing. */
function draw(name, attributes, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

/** Makes a button. */
function button(text, click, attributes = {}) {
  return make('button', { type: 'button', click, ...attributes }, text);
}

/** Makes a number that runs left to right. */
function ltr(text, tag = 'span') {
  return make(tag, { dir: 'ltr' }, text);
}

/** The nodes of a word, its places filled. */
function phrase(key, ...parts) {
  return payload.words[key].split(/\{(\d)\}/).map((text, index) => {
    const part = parts[text];
    return index % 2 === 0 ? text : part instanceof Node ? part : ltr(part);
  });
}

/** The text of a word. */
function word(key, ...parts) {
  return phrase(key, ...parts).map((part) => part.textContent ?? part).join('');
}

// Numbers and dates

const formats = new Map();

/** A format of numbers of the page's language, made once. */
function intl(options) {
  const key = JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(payload.language, options));
  return formats.get(key);
}

/** Formats a number with fixed decimals, never "-0". */
function decimal(value, digits = 0, width = 1) {
  const rounded = Number(value.toFixed(digits)) || 0;
  return intl({
    minimumFractionDigits: digits, maximumFractionDigits: digits, minimumIntegerDigits: width,
  }).format(rounded).replace('-', '\u2212');
}

/** Formats minutes as "8 h 05" or "13 min". */
function duration(minutes) {
  const size = Math.abs(minutes);
  const text = size < 60 ? word('minutes', decimal(size))
    : word('hours', decimal(Math.floor(size / 60)), decimal(size % 60, 0, 2), decimal(size % 60));
  return (minutes < 0 ? '\u2212' : '') + text;
}

/** An element of a list of names. */
const named = (key, index) => payload.words[`date.${key}`].split('|')[index];

/** Writes an instant read as UTC by a pattern of the page's words, as the rest of the page does. */
function dated(time, pattern) {
  const date = new Date(time);
  const [number, month, year] = [date.getUTCDate(), date.getUTCMonth(), date.getUTCFullYear()];
  if (payload.words[`date.${pattern}s`]) return named(`${pattern}s`, month);
  return word(`date.${pattern}`, number === 1 ? word('date.first') : number, named('monthsInDates', month), year,
    named('weekdaysInDates', (date.getUTCDay() + 6) % 7), named('longMonthsInDates', month));
}

/** Formats minutes after midnight, of the day before or after, too, as a time of day. */
function clock(minutes) {
  const [hour, minute] = [Math.floor((((minutes % 1440) + 1440) % 1440) / 60), (((minutes % 60) + 60) % 60)];
  const two = (part) => decimal(part, 0, 2);
  return payload.twelveHours
    ? word(hour < 12 ? 'date.beforeNoon' : 'date.afterNoon', `${hour % 12 || 12}:${two(minute)}`)
    : `${two(hour)}:${two(minute)}`;
}

/** Formats a day, with its year outside the last twelve months. */
function day(time, weekday = true, year = false) {
  const made = new Date(payload.made);
  const long = year || time > made || time <= made.setUTCFullYear(made.getUTCFullYear() - 1);
  return dated(time, (weekday ? 'weekdayDay' : 'dayMonth') + (long ? 'Year' : ''));
}

/** Formats a value without its unit. */
function bare(value, { form, digits = 0, signed }) {
  if (form === 'text') return value;
  if (form === 'clock') return clock(value);
  if (signed && value === 0) return '\u00b10';
  const text = form === 'duration' ? duration(value) : decimal(value / 10 ** digits, digits);
  return (signed && value > 0 ? '+' : '') + text;
}

/** Formats a value with its unit; a gap says so. */
function format(value, column) {
  if (value === null) return word('noData');
  const text = bare(value, column);
  if (column.form === 'percent') return word('percent', text);
  return column.form === 'number' && column.unit ? word('unit', text, column.unit) : text;
}

// Tables of the payload

const rows = ({ n, at }) => n ?? at.length;

const iso = (time) => new Date(time).toISOString().slice(0, 10);

/** The local time of a row, read as UTC; NaN for rows without one. */
function rowTime(table, row) {
  if (table.at) {
    const [, date, time] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?/.exec(table.at[row]) ?? [];
    return Date.parse(`${date}T${time ?? '00:00'}Z`);
  }
  // A zone that moves over the date line leaves out a day.
  const moved = (table.jumps?.findLast(([from]) => from <= row)?.[1] ?? 0) * DAY;
  const start = Date.parse(table.start);
  const date = new Date(start);
  switch (table.by) {
    case 'hour': return start + row * 3600000 + table.offsets.findLast(([from]) => from <= row)[1] * 1000;
    case 'week': return start + row * 7 * DAY + moved;
    case 'month': return date.setUTCMonth(date.getUTCMonth() + row, 1) + moved;
    case 'year': return date.setUTCFullYear(date.getUTCFullYear() + row, 0, 1) + moved;
    default: return start + row * DAY + moved;
  }
}

/** The first row at a time or after it. */
function rowFrom(table, time) {
  let row = 0;
  while (row < rows(table) && rowTime(table, row) < time) row += 1;
  return row;
}

/** The start of a row as the command writes it. */
function rowStart(table, row) {
  if (table.at) return table.at[row];
  if (table.by === 'hour') return new Date(Date.parse(table.start) + row * 3600000).toISOString().replace('.000', '');
  return row === 0 ? table.start : iso(rowTime(table, row));
}

/** What a row is called. */
function rowName(table, row, year = false) {
  const time = rowTime(table, row);
  if (Number.isNaN(time)) return table.at[row];
  const exact = table.by === 'hour' || table.at?.[row].includes('T');
  if (exact) return word('dayTime', day(time), clock((time / 60000) % 1440));
  switch (table.by) {
    case 'night': return word('nightTo', day(time));
    case 'week': return word('weekFrom', day(time, false, year));
    case 'month': return dated(time, 'monthYear');
    case 'year': return dated(time, 'year');
    default: return day(time, !year, year);
  }
}

/** What is said of a row besides its values. */
function rowNotes({ notes, partial }, row) {
  return [notes?.[row], partial?.includes(row) && word('partial')].filter(Boolean);
}

const column = (table, ...stats) => table.columns.find((one) => stats.includes(one.stat));

// Reading of figures

const cursor = make('span', { ...HIDDEN });
const label = make('div', { class: 'label', ...HIDDEN });
let reading = null;

/** The rows a figure shows, and the box of each. */
function shape(figure) {
  const [from, count] = [Number(figure.dataset.from), Number(figure.dataset.count)];
  const table = payload.tables[figure.dataset.t];
  const cells = new Map(all('[data-row]', figure).map((cell) => [Number(cell.dataset.row), cell]));
  const [outer, plot] = [bounds(figure), bounds(find('.plot', figure) ?? figure)];
  const spot = (row) => {
    const cell = cells.get(row);
    if (!cell) {
      const share = table.x ? table.x[row] / 1000 : (row - from + 0.5) / count;
      return cells.size > 0 ? null : new DOMRect(plot.x + share * plot.width, outer.y, 0, outer.height);
    }
    // Among rings a cell is the whole drawing, in a calendar a seventh of its month.
    if (!cell.ownerSVGElement) return bounds(find('svg', cell));
    const [mark, side] = [bounds(cell), bounds(cell.ownerSVGElement).width / 7];
    return new DOMRect(mark.x + (mark.width - side) / 2, mark.y + (mark.height - side) / 2, side, side);
  };
  return { table, from, last: from + count - 1, spot, outer };
}

/** The row under a pointer; null between cells. */
function rowAt(figure, { clientX, clientY }) {
  const { from, last, spot } = shape(figure);
  let [best, least] = [null, Infinity];
  for (let row = from; row <= last; row += 1) {
    const { x, y, width, height } = spot(row) ?? { x: NaN };
    const distance = Math.hypot(x + width / 2 - clientX, width && y + height / 2 - clientY);
    if (distance < Math.min(least, width || Infinity)) [best, least] = [row, distance];
  }
  return best;
}

/** The names and values of a row that a figure speaks of. */
function readings(figure, table, row) {
  const columns = (figure.dataset.cols ?? '0').split(' ').map((index) => table.columns[index]);
  const known = columns.filter((one) => one.values[row] !== null);
  if (known.length === 0) return [['', word('noData')]];
  return known.map((one, index) => [
    columns.length > 1 ? `${one.name} ` : '',
    index > 0 && one.form === 'number' && one.unit === known[0].unit ? bare(one.values[row], one) : format(one.values[row], one),
  ]);
}

/** Shows the line and the label of a row, and says it. */
function show(figure, row) {
  const { table, spot, outer } = shape(figure);
  const box = spot(row);
  if (!box) return;
  const across = (value) => `${(value / outer.width) * 100}%`;
  const down = (value) => `${(value / outer.height) * 100}%`;
  cursor.className = box.width ? 'cursor cell' : 'cursor';
  Object.assign(cursor.style, {
    left: across(box.x - outer.x), top: down(box.y - outer.y), width: across(box.width), height: down(box.height),
  });
  const parts = readings(figure, table, row);
  const names = [rowName(table, row), ...rowNotes(table, row)];
  label.dir = payload.dir;
  label.replaceChildren(
    make('b', {}, parts.map(([name, text], index) => [index > 0 ? ' \u00b7 ' : '', make('i', {}, name), ltr(text)])),
    make('span', {}, names.join(' \u00b7 ')));
  figure.append(cursor, label);
  const wide = bounds(label).width;
  label.style.left = across(Math.max(0, Math.min(box.x + box.width / 2 - outer.x - wide / 2, outer.width - wide)));
  label.style.bottom = down(outer.bottom - box.y);
  reading = { figure, row };
  clearTimeout(show.timer);
  show.timer = setTimeout(() => { find('#live').textContent = [...parts.map((part) => part.join('')), ...names].join(word('comma')); }, 80);
}

/** Takes line and label away. */
function hide() {
  cursor.remove();
  label.remove();
  reading = null;
}

/** Starts the reading of all figures. */
function startReading() {
  let again = true;
  const on = (kind, work) => document.addEventListener(kind, (event) => work(event.target.closest?.('.fig[data-t]'), event));
  const readRow = (figure) => (figure && reading?.figure === figure ? reading.row : null);
  const why = (figure, row) => {
    const id = figure.dataset.why;
    const reason = payload.reasons[id];
    const time = rowTime(payload.tables[figure.dataset.t], row);
    if (reason && time >= Date.parse(reason.start)) explain(id, rowFrom(reason, time));
  };
  on('pointermove', (figure, event) => {
    if (figure) {
      withPayload(() => {
        const row = rowAt(figure, event);
        if (row !== null && row !== readRow(figure)) show(figure, row);
      });
    } else if (event.pointerType === 'mouse' && document.activeElement !== reading?.figure) hide();
  });
  on('pointerdown', (figure, event) => {
    // The first touch of a day reads it, the second asks why.
    again = event.pointerType !== 'touch' || (readRow(figure) !== null && rowAt(figure, event) === readRow(figure));
    if (!figure) hide();
  });
  on('click', (figure, event) => {
    const link = event.target.closest?.('button.why-link');
    if (link) withPayload(() => explain(link.dataset.measure, Number(link.dataset.row)));
    if (!figure) return;
    withPayload(() => {
      const row = rowAt(figure, event);
      if (row === null) return;
      show(figure, row);
      if (again) why(figure, row);
    });
  });
  on('keydown', (figure, event) => {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    if (target !== figure || ctrlKey || altKey || metaKey) return;
    if (key === 'Escape') hide();
    const keys = find('[data-row]', figure) ? /^(Arrow|Page|Home|End|Enter)/ : /^(Arrow[LR]|Page|Home|End|Enter)/;
    if (!keys.test(key)) return;
    event.preventDefault();
    withPayload(() => {
      const { from, last } = shape(figure);
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, PageUp: -7, ArrowDown: 7, PageDown: 7, Home: -Infinity, End: Infinity, Enter: 0 };
      const row = Math.min(last, Math.max(from, (readRow(figure) ?? last + 7) + step[key]));
      if (key === 'Enter') why(figure, row);
      else show(figure, row);
    });
  });
  on('focusout', (figure) => {
    if (readRow(figure) !== null) hide();
  });
}

// Tables

/** One row of a table. */
function bodyRow(table, row) {
  const cells = table.columns.map((one) => {
    const value = one.values[row];
    if (one.form === 'text') return make('td', {}, make('bdi', {}, value ?? '\u2013'));
    return make('td', { class: 'n', dir: 'ltr' }, value === null ? '\u2013' : bare(value, one));
  });
  const notes = rowNotes(table, row).map((note) => make('small', {}, note));
  return make('tr', { 'data-start': rowStart(table, row) }, make('th', { scope: 'row' }, rowName(table, row), notes), cells);
}

/** Builds a table newest first, 400 rows at a time. */
function build(place, table) {
  const body = make('tbody');
  let next = rows(table) - 1;
  const extend = () => {
    for (const end = next - 400; next > end && next >= 0; next -= 1) body.append(bodyRow(table, next));
    more.textContent = word('showMore', decimal(Math.min(400, next + 1)));
    more.hidden = next < 0;
  };
  const more = button('', extend);
  const head = table.columns.map(({ stat, name, unit, form }) => (
    make('th', { scope: 'col', class: form === 'text' ? '' : 'n', 'data-stat': stat }, `${name} `,
      make('bdi', { class: 'unit' }, { percent: '%', number: unit }[form] ?? ''))));
  extend();
  place.replaceChildren(make('table', { class: 'data built', 'data-ask': table.ask },
    make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, table.rows), head)), body), more);
  place.scrollTop = 0;
}

/** Fills opened details, once for each table. */
function openTable(details) {
  const { t, built } = details.dataset;
  if (!details.open || !t || built === t) return;
  const place = find('.scroll', details);
  withPayload(() => {
    build(place, payload.tables[t]);
    details.dataset.built = t;
  }, place);
}

// Why this number

const measureOf = (id) => payload.measures.find((one) => one.id === id);

/** Fills and opens the dialog for a day of a measure. */
function explain(id, row) {
  const reason = payload.reasons[id];
  if (typeof reason?.total[row] !== 'number') return;
  const measure = { ...measureOf(id), digits: reason.digits };
  const time = rowTime(reason, row);
  const parts = (stat) => reason.sources.map((name, at) => [stat, name, reason[stat][at][row]]).filter((part) => part[2] > 0);
  const [counted, masked] = [parts('counted'), parts('masked')];
  const line = (kind, name, amount) => make('div', { class: kind }, make('dt', {}, name), ltr(bare(amount, measure), 'dd'));
  const lines = [...counted, ...masked].map(([stat, name, amount]) => line(stat, phrase(stat, make('bdi', {}, name)), amount));
  const ask = reason.ask.replace(/--from \S+ --to \S+/, `--from ${iso(time)} --to ${iso(time + DAY)}`);
  const dialog = find('#why');
  dialog.className = `why f-${measure.family}`;
  dialog.replaceChildren(make('div', { class: 'why-body' },
    make('div', { class: 'why-top' },
      make('h2', { id: 'why-head' }, phrase('why', format(reason.total[row], measure), make('span', {}, day(time, true, true)))),
      button('\u2715', () => dialog.close(), { class: 'close', 'aria-label': word('close') })),
    make('p', {}, word(counted.length > 1 ? 'whyMany' : masked.length > 0 ? 'whyMasked' : 'whyOne')),
    reasonBar([...counted, ...masked]),
    make('dl', { class: 'rows' }, lines, line('together', word('together'), reason.total[row]), line('raw', word('raw'), reason.raw[row])),
    make('code', { class: 'command', dir: 'ltr' }, `hkstats ${ask}`)));
  hide();
  if (!dialog.open) dialog.showModal();
}

/** One bar of what was counted, and masked as outline. */
function reasonBar(parts) {
  const whole = parts.reduce((sum, part) => sum + part[2], 0);
  let x = 0;
  return draw('svg', { width: '100%', height: 20, ...HIDDEN }, parts.map(([stat, , amount], index) => {
    const wide = (amount / whole) * 100;
    x += wide;
    const kind = stat === 'masked' ? stat : ['m', 'q', 'o4', 'pale'][index % 4];
    return draw('rect', { class: kind, x: `${x - wide}%`, y: 1, width: `${Math.max(0.3, wide - 0.4)}%`, height: 18, rx: 1.5 });
  }));
}

// Controls

/** A select of measures by family, where there is a choice. */
function measureSelect(measures, chosen, change) {
  if (measures.length < 2) return '';
  const select = make('select', { change: () => change(measureOf(select.value)) });
  for (const { id, name, family } of measures) {
    const label = word(`family.${family}`);
    if (select.lastChild?.label !== label) select.append(make('optgroup', { label }));
    select.lastChild.append(make('option', { value: id }, name));
  }
  select.value = chosen.id;
  return make('label', {}, word('measure'), select);
}

/** Two buttons that move a window, and a way to enable them. */
function pager(move) {
  const pair = [button(word('earlier'), () => move(-1)), button(word('later'), () => move(1))];
  const set = (...usable) => {
    const lost = pair.findIndex((one, index) => one === document.activeElement && !usable[index]);
    pair.forEach((one, index) => { one.disabled = !usable[index]; });
    // A button that can no longer be pressed hands the focus to the other.
    if (lost >= 0 && usable[1 - lost]) pair[1 - lost].focus();
  };
  return { set, pair: make('span', { class: 'right' }, pair) };
}

/** Gives a card colour, name, table, and its figure its rows. */
function dress(card, figure, measure, name, shown) {
  card.className = card.className.replace(/\bf-\w+/, `f-${measure.family}`);
  find('h3', card).textContent = name;
  Object.assign(figure.dataset, shown, { why: payload.reasons[measure.id] && shown.by === 'day' ? measure.id : '' });
  const details = find('details.table', card);
  details.dataset.t = shown.t;
  openTable(details);
  hide();
}

// Calendar

/** Makes a calendar's card show other measures and earlier years. */
function startCalendar(card) {
  const measures = payload.measures.filter((one) => one.fifths && one.tables.day);
  let [measure, back] = [measureOf(card.dataset.measure), 0];
  const update = () => turn.set(drawCalendar(card, measure, back), back > 0);
  const turn = pager((step) => { back -= step; update(); });
  const choose = (chosen) => { [measure, back] = [chosen, 0]; update(); };
  if (!measure.fifths) return;
  find('.controls', card).append(measureSelect(measures, measure, choose), turn.pair);
  update();
}

/** Draws twelve months; says whether days are before them. */
function drawCalendar(card, measure, back) {
  const t = measure.tables.day;
  const table = payload.tables[t];
  const days = column(table, 'sum') ?? column(table, 'mean') ?? table.columns[0];
  const last = new Date(rowTime(table, rows(table) - 1));
  const month = (index) => Date.UTC(last.getUTCFullYear() - back, last.getUTCMonth() + index, 1);
  const row = (index) => rowFrom(table, month(index));
  const figure = find('.calendar', card);
  const months = Array.from({ length: 12 }, (_, index) => index).filter((index) => row(index - 11) < row(index - 10));
  figure.replaceChildren(...months.map((index, place) => {
    const time = month(index - 11);
    const name = place === 0 || new Date(time).getUTCMonth() === 0 ? 'monthYear' : 'month';
    return make('div', { class: 'month' }, make('p', {}, dated(time, name)), drawMonth(time, row(index - 11), row(index - 10), table, days, measure));
  }));
  const name = word('calendar', measure.name);
  figure.ariaLabel = word('readCalendar', name);
  // Equal limits are one; nothing is under zero steps.
  const { fifths } = measure;
  const steps = SIDES.map((_, step) => step).filter((step) => (step ? fifths[step] !== fifths[step - 1] : fifths[0] > 0 || !measure.sum));
  all('.key-item', card).forEach((item) => item.remove());
  const item = (mark, ...text) => make('span', { class: 'key-item' },
    draw('svg', { class: 'swatch', width: 14, height: 14, ...HIDDEN }, mark), make('span', {}, ...text));
  const none = find('.gap', figure) ? [item(draw('circle', { class: 'gap', cx: 7, cy: 7, r: 2 }), word('noData'))] : [];
  find('.key', card).prepend(...steps.map((step) => (
    item(square(7, 7, step), phrase(step ? 'from' : 'under', bare(fifths[Math.max(0, step - 1)], measure))))), ...none);
  if (measure.id !== card.dataset.measure || back > 0) find('.aside', card)?.remove();
  const from = row(-11);
  dress(card, figure, measure, name, { t, by: 'day', from, count: row(1) - from, cols: table.columns.indexOf(days) });
  return from > 0;
}

/** Draws the square of a fifth around a point. */
function square(x, y, step, attributes = {}) {
  const side = SIDES[step];
  return draw('rect', { class: `o${step + 1}`, x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 1.5, ...attributes });
}

/** Draws one month: weeks as rows of seven cells of 16. */
function drawMonth(time, from, to, table, days, measure) {
  const lead = (new Date(time).getUTCDay() + 8 - payload.firstWeekday) % 7;
  const block = draw('svg', { viewBox: '0 0 112 96', ...HIDDEN });
  for (let row = from; row < to; row += 1) {
    const value = days.values[row];
    const cell = (rowTime(table, row) - time) / DAY + lead;
    const [cx, cy] = [(cell % 7) * 16 + 8, Math.floor(cell / 7) * 16 + 8];
    const step = measure.fifths.filter((limit) => value / 10 ** (days.digits - measure.digits) >= limit).length;
    block.append(value === null ? draw('circle', { class: 'gap', cx, cy, r: 1.5, 'data-row': row }) : square(cx, cy, step, { 'data-row': row }));
  }
  return block;
}

// Explorer

/** Makes the explorer's card draw any measure by any interval. */
function startExplorer(card) {
  const { measures } = payload;
  let measure = measureOf(card.dataset.measure);
  // A narrow card has no room for the spread of 78 weeks.
  let by = card.clientWidth < 480 ? 'day' : card.dataset.by;
  let end = Infinity;
  const buttons = Object.keys(WINDOWS).map((one) => button(word(one), () => { [by, end] = [one, Infinity]; update(); }, { value: one }));
  const turn = pager((step) => { end += step * WINDOWS[by]; update(); });
  const choose = (chosen) => { [measure, end] = [chosen, Infinity]; update(); };
  const update = () => {
    const { tables } = measure;
    if (!tables[by]) by = tables.day ? 'day' : 'week';
    for (const one of buttons) {
      one.hidden = !tables[one.value];
      one.ariaPressed = one.value === by;
    }
    const { values } = payload.tables[tables[by]].columns[0];
    const count = values.length;
    // What began late or ended long ago is shown where it began or ended.
    const begin = Math.max(0, values.findIndex(Number.isFinite));
    const size = Math.min(WINDOWS[by], count - begin);
    const known = values.findLastIndex(Number.isFinite) + 1;
    if (end === Infinity && known <= count - size) end = known;
    end = Math.min(count, Math.max(begin + size, end));
    turn.set(end - size > begin, end < count);
    drawExplorer(card, measure, by, end - size, size);
  };
  find('.controls', card).append(measureSelect(measures, measure, choose),
    make('span', { class: 'buttons', role: 'group', 'aria-label': word('interval') }, buttons), turn.pair);
  update();
}

/** Draws the explorer's figure; fills head and key. */
function drawExplorer(card, measure, by, from, count) {
  const t = measure.tables[by];
  const table = payload.tables[t];
  const nights = column(table, 'value')?.form === 'duration';
  const form = column(table, 'sum') || (nights && by === 'day') ? 'bars' : column(table, 'perDay') ? 'sums'
    : nights ? 'nights' : column(table, 'p25', 'timeP25') ? 'ranges' : 'dots';
  const [zero, thick] = [form === 'bars' || form === 'sums' || nights, { bars: 'm', sums: 'pale', nights: 'pale' }[form]];
  // Some tables have one column, of any name.
  const columns = table.columns.length === 1 ? table.columns : form === 'sums'
    ? ['perDay', 'dayMin', 'dayP25', 'dayP75', 'dayMax'].map((stat) => column(table, stat))
    : [column(table, 'mean') ?? table.columns[0], column(table, 'min'), column(table, 'p25', 'timeP25'),
      column(table, 'p75', 'timeP75'), column(table, 'max')];
  const spoken = [0, 1, 4].map((index) => columns[index]).filter(Boolean);
  const last = from + count - 1;
  const value = (one, row) => (typeof one?.values[row] === 'number' ? one.values[row] / 10 ** one.digits : NaN);
  const typical = by === 'day' && form === 'bars' && measure.typical ? measure.typical[1] / 10 ** measure.digits : NaN;
  const shown = spoken.flatMap((one) => Array.from({ length: count }, (_, index) => value(one, from + index)));
  const range = word('range', rowName(table, from, true), rowName(table, last, true));
  const name = word(`by.${by}`, measure.name);
  const title = name + word('comma') + range;
  const plot = draw('svg', { class: 'plot', height: 250, role: 'img' }, draw('title', {}, title));
  const axis = draw('svg', { class: 'axis', height: 250, ...HIDDEN });
  const height = scale(plot, axis, [...shown, typical].filter(Number.isFinite), zero, columns[0], measure.unit);
  const [slot, mark] = [100 / count, 100 / Math.max(count, 16)];
  const add = (kind, shape, attributes) => plot.append(draw(shape, { class: kind, ...attributes }));
  for (let row = from; row <= last; row += 1) {
    const middle = (row - from + 0.5) * slot;
    const [y, least, lower, upper, most] = [0, 1, 2, 3, 4].map((index) => height(value(columns[index], row)));
    const side = (wide) => `${middle + mark * wide / 2}%`;
    const dot = (kind, cy, r) => add(kind, 'circle', { cx: `${middle}%`, cy, r });
    const line = (kind, wide, y1, y2) => add(kind, 'line', { x1: side(-wide), x2: side(wide), y1, y2 });
    const box = (kind, wide, top, bottom) => add(table.partial?.includes(row) ? 'masked' : kind, 'rect', {
      x: side(-wide), y: top, width: `${mark * wide}%`, height: Math.max(bottom - top, 1), rx: count > 40 ? 1 : 2,
    });
    if (Number.isNaN(y)) dot('gap', 211, 2);
    else if (thick) box(thick, 0.62, y, height(0));
    if (least > most) line('tl', 0, least, most);
    if (lower > upper || (zero && lower === upper)) box('m', zero ? 0.3 : 0.5, upper, lower);
    if (thick === 'pale' && y) line('inkl', 0.62, y, y);
    // A hole can be seen in a box alone.
    if (!zero && y) upper <= y - 2 && y + 2 <= lower ? dot('hole', y, 1.7) : dot('m', y, 2.6);
  }
  if (typical) add('inkd', 'line', { x1: 0, x2: '100%', y1: height(typical), y2: height(typical) });
  timeLabels(plot, table, by, from, count);
  const figure = make('div', { class: 'fig', tabindex: 0, role: 'group', 'aria-label': word('readFigure', title.replace(/\.$/, '')) }, plot, axis);
  find('.place', card).classList.add('ready');
  find('.place', card).replaceChildren(figure);
  for (const key of all('.key', card)) {
    const items = all('.key-item', key);
    // What is not drawn needs no word.
    for (const item of items) item.hidden = all('[class]', find('svg', item)).some((mark) => !find(`.${mark.classList}`, plot));
    key.hidden = key.dataset.form !== form || items.every((item) => item.hidden);
  }
  find('.aside', card).textContent = [range, measure.unit, form === 'sums' && word('meanOfDay')].filter(Boolean).join(' \u00b7 ');
  dress(card, figure, measure, name, { t, by, from, count, cols: spoken.map((one) => table.columns.indexOf(one)).join(' ') });
}

/** Draws the value axis; gives a value's height. */
function scale(plot, axis, values, zero, { form, digits }, unit) {
  const ends = values.length > 0 ? values : [0, 1];
  const [least, most] = [Math.min(...ends, zero ? 0 : Infinity), Math.max(...ends, zero ? 0 : -Infinity)];
  const pad = (most - least) * 0.04 || 1;
  const [bottom, top] = [zero && least === 0 ? 0 : least - pad, most + pad];
  const height = (value) => 216 - ((value - bottom) / (top - bottom)) * 194;
  const timed = form === 'duration' || form === 'clock';
  const [step, decimals] = stepOf((top - bottom) / 4, timed);
  for (let index = Math.ceil(bottom / step); index * step <= top; index += 1) {
    const [tick, y] = [index * step, height(index * step)];
    const hours = form === 'duration' && step % 60 === 0;
    const text = hours ? word('wholeHours', decimal(tick / 60)) : timed ? bare(tick, { form, digits }) : decimal(tick, decimals);
    plot.append(draw('line', { class: zero && index === 0 ? 'zero' : 'grid', x1: 0, x2: '100%', y1: y, y2: y }));
    axis.append(draw('text', { class: 't', x: 0, y: y + 4 }, text));
  }
  const text = { percent: '%', number: unit }[form];
  const long = text?.length > 6;
  if (text) axis.append(draw('text', { class: long ? 't end' : 't', x: long ? 46 : 0, y: 10 }, text));
  axis.classList.toggle('bare', text === '');
  return height;
}

/** The least step of 1-2-2.5-5 (of minutes for times) not under a width, and its decimals. */
function stepOf(least, timed) {
  if (timed) return [[5, 10, 15, 30, 60, 120, 180, 240, 360, 720].find((one) => one >= least) ?? 1440, 0];
  const power = Math.floor(Math.log10(least));
  const lead = [1, 2, 2.5, 5, 10].find((one) => one * 10 ** power >= least * 0.999);
  const digits = (lead === 2.5 ? 1 : lead === 10 ? -1 : 0) - power;
  return [lead * 10 ** power, Math.max(0, digits)];
}

/** Writes the times under a figure; those of level 2 and 3 ask for 460 and 820 pixels. */
function timeLabels(plot, table, by, from, count) {
  const third = Math.max(1, Math.floor((count + 1) / 3));
  for (let row = from; row < from + count; row += 1) {
    const share = (row - from + 0.5) / count;
    const date = new Date(rowTime(table, row));
    const [month, number, hour] = [date.getUTCMonth(), date.getUTCDate(), date.getUTCHours()];
    const name = dated(date, month === 0 ? 'year' : 'shortMonth');
    const short = dated(date, 'dayMonth');
    const few = (from + count - 1 - row) % third === 0 && share > 0.06 && short;
    const [text, level] = {
      hour: [hour % 6 === 0 && (hour ? clock(hour * 60) : short), hour === 0 ? 1 : hour === 12 ? 2 : 3],
      day: [count > 75 ? number === 1 && name : few, 1],
      week: [count < 14 ? few : number <= 7 && name, count < 27 || month % 6 === 0 ? 1 : month % 3 === 0 ? 2 : 3],
      month: [(count <= 18 || month % 3 === 0) && name, count < 7 || month === 0 ? 1 : month === 6 ? 2 : 3],
      year: [dated(date, 'year'), count > 6 && date.getUTCFullYear() % 2 ? 2 : 1],
    }[by];
    const anchor = share > 0.96 && text !== few ? ' end' : share < 0.03 ? '' : ' mid';
    if (text) plot.append(draw('text', { class: `t${anchor} t${level}`, x: `${share * 100}%`, y: 238 }, text));
  }
}

// Start

/** Runs work when an element comes near the window. */
function near(element, work, place) {
  if (!element) return;
  const watch = new IntersectionObserver((entries) => {
    if (!entries.some((one) => one.isIntersecting)) return;
    watch.disconnect();
    withPayload(() => work(element), place);
  }, { rootMargin: '900px 0px' });
  watch.observe(element);
}

/** Marks the section being read in the navigation. */
function followSections() {
  const nav = find('.nav');
  const sections = all('.section[id]');
  const foot = find('.foot');
  if (!nav || sections.length === 0) return;
  const mark = () => {
    const ended = scrollY > 0 && bounds(foot).bottom <= innerHeight + 4;
    const read = sections.findLast((one) => ended || bounds(one).top <= innerHeight * 0.26);
    const link = find(`a[href="#${(read ?? sections[0]).id}"]`, nav);
    if (!link || link.ariaCurrent) return;
    find('[aria-current]', nav)?.removeAttribute('aria-current');
    link.ariaCurrent = 'true';
    nav.scrollLeft += bounds(link).left - bounds(nav).left - 16;
  };
  const watch = new IntersectionObserver(mark, { rootMargin: '-25% 0px -74% 0px' });
  sections.forEach((one) => watch.observe(one));
  new IntersectionObserver(mark, { threshold: [0.5, 1] }).observe(foot);
}

startReading();
followSections();
document.addEventListener('toggle', ({ target }) => {
  if (target.matches('details.table')) openTable(target);
}, true);
find('#why')?.addEventListener('click', ({ target, currentTarget }) => {
  if (target === currentTarget) currentTarget.close();
});
near(find('.calendar-card'), startCalendar);
near(find('.explorer'), startExplorer, find('.explorer .place'));
