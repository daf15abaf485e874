// The plot of the live registers over the rows of the text.

const SVG = 'http://www.w3.org/2000/svg';
function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const plotPane = element('plot');
const MARGIN = { left: 44, right: 10, top: 8, bottom: 20 };
const plot = { width: 0, height: 0, spans: svg('g'), curves: svg('g'), marks: svg('g'), hover: -1 };
plotPane.append(svg('svg', { 'aria-hidden': 'true' }, plot.spans, plot.curves, plot.marks));

const plotX = row => MARGIN.left + (row / Math.max(current.rows.length, 1)) * (plot.width - MARGIN.left - MARGIN.right);
function plotY(registers) {
  const inner = plot.height - MARGIN.top - MARGIN.bottom;
  return MARGIN.top + inner * (1 - registers / plot.most);
}
function plotRow(x) {
  const part = (x - MARGIN.left) / (plot.width - MARGIN.left - MARGIN.right);
  return Math.min(Math.max(Math.floor(part * current.rows.length), 0), current.rows.length - 1);
}

/** Returns the largest number of each pixel column, as a path. */
function curve(key) {
  const side = current[key], lines = current.rows[key], { length } = current.rows;
  const columns = Math.max(Math.min(Math.floor(plot.width - MARGIN.left - MARGIN.right), length), 1);
  const points = [];
  let last = 0;
  for (let column = 0; column < columns; column++) {
    const from = Math.floor((column * length) / columns), to = Math.floor(((column + 1) * length) / columns);
    let most = -1;
    for (let row = from; row < to; row++) {
      if (lines[row] >= 0) most = Math.max(most, side.registers[lines[row]]);
    }
    // Rows without an instruction of this side keep the number before them.
    if (most >= 0) last = most;
    const y = plotY(last).toFixed(1);
    points.push(`${plotX(from).toFixed(1)},${y}`, `${plotX(to).toFixed(1)},${y}`);
  }
  return points;
}

/** Returns a round number such that there are a few of it up to a number. */
function niceStep(most, count) {
  const rough = Math.max(most / count, 1), power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= rough);
}

function drawPlot() {
  const box = plotPane.getBoundingClientRect();
  Object.assign(plot, { width: box.width, height: box.height });
  if (!current || box.width < 100) return;
  const peak = Math.max(...shownSides().map(key => current[key].peak), 1);
  const parts = [], step = niceStep(peak, 5);
  // The axis ends with a number.
  plot.most = Math.ceil(peak / step) * step;
  for (let y = 0; y <= plot.most; y += step) {
    const at = Math.round(plotY(y)) + 0.5;
    parts.push(svg('line', { class: 'grid', x1: MARGIN.left, x2: plot.width - MARGIN.right, y1: at, y2: at }),
      svg('text', { x: MARGIN.left - 6, y: at + 4, 'text-anchor': 'end' }, String(y)));
  }
  const rowStep = niceStep(current.rows.length, Math.max(plot.width / 110, 2));
  for (let row = 0; row < current.rows.length; row += rowStep) {
    const { side, line } = lineAt(row, shownSides()[0]), x = plotX(row);
    const anchor = x > plot.width - 60 ? 'end' : 'start';
    parts.push(svg('text', { x, y: plot.height - 5, 'text-anchor': anchor },
      side === shownSides()[0] ? `$${line}` : `${side.toUpperCase()} $${line}`));
  }
  for (const key of shownSides()) {
    const points = curve(key);
    if (key === shownSides()[0]) {
      const base = plotY(0), end = plotX(current.rows.length);
      parts.push(svg('path', { class: 'area', d: `M${MARGIN.left},${base}L${points.join('L')}L${end},${base}Z` }));
    }
    parts.push(svg('path', { class: key, d: `M${points.join('L')}` }));
  }
  plot.curves.replaceChildren(...parts);
  markPlot();
}

/** Marks the selected block and line. */
function markPlot() {
  if (!current || !plot.width) return;
  const side = current[state.side], top = MARGIN.top, bottom = plot.height - MARGIN.bottom;
  const spans = [], marks = [];
  const block = side && state.block >= 0 ? blockAt(side, state.block) : null;
  if (block && block.end > block.first) {
    const first = side.rowOf[block.first], last = side.rowOf[block.end - 1];
    const x = plotX(first), width = Math.max(plotX(last + 1) - x, 2);
    spans.push(svg('rect', {
      class: 'span', x, y: top, width, height: bottom - top, 'data-first': first, 'data-last': last,
    }));
  }
  const row = state.line >= 0 ? selectedRow() : -1;
  const line = (name, row) => {
    const x = plotX(row + 0.5);
    marks.push(svg('line', { class: name, x1: x, x2: x, y1: top, y2: bottom, 'data-row': row }));
  };
  if (plot.hover >= 0) line('hover', plot.hover);
  if (row >= 0) line('cursor', row);
  plot.spans.replaceChildren(...spans);
  plot.marks.replaceChildren(...marks);
  const at = plot.hover >= 0 ? plot.hover : selectedRow();
  const words = at < 0 ? '' : describeRow(at);
  element('readout').textContent = words;
  plotPane.setAttribute('aria-valuenow', Math.max(selectedRow(), 0));
  plotPane.setAttribute('aria-valuetext', selectedRow() < 0 ? 'nothing selected' : describeRow(selectedRow()));
}

/** Returns the numbers of the instructions of a row, and of their registers. */
function describeRow(row) {
  const parts = shownSides().map(key => {
    const side = current[key], line = current.rows[key][row];
    if (line < 0) return '';
    const name = isPair ? `${key.toUpperCase()} ` : '';
    return `${name}$${line}: ${plural(side.registers[line], 'register')}, ${blockName(blockAt(side, side.blockOf[line]))}`;
  });
  return parts.filter(Boolean).join(' · ');
}

plotPane.addEventListener('pointermove', event => {
  plot.hover = plotRow(event.clientX - plotPane.getBoundingClientRect().left);
  markPlot();
});
plotPane.addEventListener('pointerleave', () => {
  plot.hover = -1;
  markPlot();
});
plotPane.addEventListener('click', event => {
  selectRow(plotRow(event.clientX - plotPane.getBoundingClientRect().left));
});
plotPane.addEventListener('keydown', event => {
  const row = selectedRow(), last = current.rows.length - 1, page = Math.max(Math.round(last / 20), 1);
  const steps = {
    ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: page, PageDown: -page, Home: -Infinity, End: Infinity,
  };
  if (!(event.key in steps)) return;
  selectRow(Math.min(Math.max(row + steps[event.key], 0), last));
  event.preventDefault();
});
new ResizeObserver(drawPlot).observe(plotPane);

function showPlot() {
  const legend = shownSides().map(key => {
    const { stats, peak } = current[key];
    const where = stats.peak ? ` before $${stats.peak.instruction}` : '';
    const name = isPair ? `${key.toUpperCase()}: ` : '';
    return span(key, `${name}live registers of ${stats.register_bytes} bytes, peak ${peak}${where}`);
  });
  element('legend').replaceChildren(...legend);
  plotPane.setAttribute('aria-valuemax', Math.max(current.rows.length - 1, 0));
  plot.hover = -1;
  drawPlot();
}
