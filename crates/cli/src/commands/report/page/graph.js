// The control-flow graph of one side, laid out by dagre when it is shown.

const graphPane = element('graph');
const BOX = { height: 42, character: 7.3, padding: 18, most: 26 };
/** More boxes than this are a column, because dagre takes long and nests too many calls. */
const MANY = 1500;
/** More blocks than this are drawn in common boxes at first. */
const MANY_BLOCKS = 60;
const graph = { key: '', zoom: 1, boxes: new Map(), boxOf: new Map(), selected: null, drawing: null };

const shortened = text => text.length > BOX.most ? `${text.slice(0, BOX.most - 1)}…` : text;

/** Returns whether a loop of the routine contains a block. */
function isInLoop(side, block, id) {
  for (let at = block.loop; at !== null; at = side.cfg.loops[at].parent) {
    if (at === id) return true;
  }
  return false;
}

/** Returns the boxes that are drawn, by the blocks that name them, and the box of each block. */
function listBoxes(side) {
  const kind = element('boxes').value, part = element('part').value;
  const isInside = block => part === '' || isInLoop(side, block, Number(part));
  const boxes = new Map(), boxOf = new Map();
  const add = (id, block, isOutside) => {
    if (!boxes.has(id)) boxes.set(id, { id, blocks: [], isOutside });
    boxes.get(id).blocks.push(block);
    boxOf.set(block.block, id);
  };
  for (const block of side.blocks) if (isInside(block)) add(block[kind], block, false);
  for (const { from, to } of side.cfg.edges) {
    if (boxOf.has(from) === boxOf.has(to) && boxes.get(boxOf.get(from))?.isOutside === boxes.get(boxOf.get(to))?.isOutside) continue;
    for (const [id, other] of [[from, to], [to, from]]) {
      const isNear = boxOf.has(other) && !boxes.get(boxOf.get(other)).isOutside;
      if (!boxOf.has(id) && isNear) add(id, side.blocks[id], true);
    }
  }
  const headers = new Set(side.cfg.loops.map(found => found.header));
  for (const box of boxes.values()) {
    const [head] = [side.blocks[box.id]];
    const { length } = box.blocks;
    const last = box.blocks[length - 1];
    const isRange = box.blocks.every((block, i) => i === 0 || block.first === box.blocks[i - 1].end);
    const range = isRange ? rangeOf({ first: box.blocks[0].first, end: last.end }) : rangeOf(head) + ' …';
    box.peak = Math.max(...box.blocks.map(block => block.peak));
    box.title = shortened(blockName(head) + (length > 1 ? ` +${length - 1}` : ''));
    box.facts = range ? `${range} · ${plural(box.peak, 'reg')}` : 'end of subroutine';
    box.width = Math.max(box.title.length, box.facts.length) * BOX.character + BOX.padding;
    const isLoop = box.blocks.some(block => headers.has(block.block));
    box.className = 'box' + (isLoop ? ' header' : '') + (head.is_reachable ? '' : ' unreachable') + (box.isOutside ? ' outside' : '');
    box.name = [blockName(head), length > 1 ? plural(length, 'block') : '', box.facts, isLoop ? 'start of a loop' : '',
      head.is_divergent ? 'lanes may have diverged' : '', head.is_reachable ? '' : 'unreachable',
      box.isOutside ? 'outside of the part' : ''].filter(Boolean).join(', ');
  }
  return { boxes, boxOf };
}

/** Returns the edges between boxes. */
function listEdges(side, boxes, boxOf) {
  const edges = new Map();
  for (const edge of side.cfg.edges) {
    const from = boxOf.get(edge.from), to = boxOf.get(edge.to);
    if (from === undefined || to === undefined) continue;
    if (boxes.get(from).isOutside && boxes.get(to).isOutside) continue;
    if (from === to && !edge.is_back_edge) continue;
    const id = `${from} ${to}`;
    if (!edges.has(id)) edges.set(id, { from, to, kind: edge.kind, isBack: edge.is_back_edge, condition: edge.condition });
  }
  return [...edges.values()];
}

function layOut(boxes, edges, side, boxOf) {
  if (boxes.size > MANY) return layOutColumn(boxes);
  const layout = new dagre.graphlib.Graph();
  layout.setGraph({ nodesep: 24, ranksep: 34, marginx: 16, marginy: 16 });
  layout.setDefaultEdgeLabel(() => ({}));
  for (const { id, width } of boxes.values()) layout.setNode(String(id), { width, height: BOX.height });
  for (const { from, to, kind, isBack } of edges) {
    // Headers are above the rest of their loops. Returns do not move the block after a call.
    if (kind === 'return' || from === to) continue;
    layout.setEdge(...(isBack ? [String(to), String(from)] : [String(from), String(to)]));
  }
  for (const { from, kind } of side.cfg.edges) {
    if (kind !== 'call') continue;
    const caller = boxOf.get(from), after = boxOf.get(from + 1);
    if (caller !== undefined && after !== undefined && caller !== after) layout.setEdge(String(caller), String(after), { isHidden: true });
  }
  try {
    dagre.layout(layout);
  } catch (error) {
    // Very deep graphs exceed the stack.
    if (error instanceof RangeError) return layOutColumn(boxes);
    throw error;
  }
  return layout;
}

/** Puts the boxes below each other in the order of the code, with the edges at their sides. */
function layOutColumn(boxes) {
  const step = BOX.height + 16, nodes = new Map();
  const most = Math.max(...Array.from(boxes.values(), box => box.width));
  const side = 140, x = side + most / 2;
  for (const { id, width } of boxes.values()) {
    nodes.set(String(id), { x, y: 16 + BOX.height / 2 + nodes.size * step, width, height: BOX.height });
  }
  return {
    node: id => nodes.get(id),
    edge(from, to) {
      const [a, b] = [nodes.get(from), nodes.get(to)];
      if (b.y - a.y === step) return { points: [border(a, b), border(b, a)] };
      // Edges to later boxes are on the right.
      const direction = b.y > a.y ? 1 : -1, bend = Math.min(20 + Math.abs(b.y - a.y) / 20, side - 20);
      const points = [[a, a.width / 2, 6], [a, most / 2 + bend, 20], [b, most / 2 + bend, -20], [b, b.width / 2, -6]];
      return { points: points.map(([at, dx, dy]) => ({ x: x + direction * dx, y: at.y + direction * dy })) };
    },
    graph: () => ({ width: 2 * side + most, height: 32 + nodes.size * step }),
  };
}

/** Returns a smooth path through points. */
function smooth(points) {
  const [first, ...rest] = points;
  let path = `M${first.x.toFixed(1)},${first.y.toFixed(1)}`;
  for (let i = 0; i < rest.length; i++) {
    const at = rest[i], next = rest[i + 1];
    if (!next) path += `L${at.x.toFixed(1)},${at.y.toFixed(1)}`;
    else path += `Q${at.x.toFixed(1)},${at.y.toFixed(1)} ${((at.x + next.x) / 2).toFixed(1)},${((at.y + next.y) / 2).toFixed(1)}`;
  }
  return path;
}

/** Returns where the line from the center of a box to a point leaves the box. */
function border(box, to) {
  const dx = to.x - box.x, dy = to.y - box.y;
  const part = Math.min(box.width / 2 / Math.max(Math.abs(dx), 0.1), box.height / 2 / Math.max(Math.abs(dy), 0.1), 1);
  return { x: box.x + dx * part, y: box.y + dy * part };
}

/** Returns the points of an edge. */
function edgePoints(layout, { from, to, isBack, kind }) {
  const [a, b] = [layout.node(String(from)), layout.node(String(to))];
  if (from === to) {
    const x = a.x + a.width / 2, { y } = a;
    return [{ x, y: y + 10 }, { x: x + 20, y: y + 20 }, { x: x + 20, y: y - 20 }, { x, y: y - 10 }];
  }
  const laidOut = kind === 'return' ? undefined : isBack ? layout.edge(String(to), String(from)) : layout.edge(String(from), String(to));
  if (!laidOut?.points) return [border(a, b), border(b, a)];
  return isBack ? [...laidOut.points].reverse() : laidOut.points;
}

function drawBox(box, layout, most) {
  const { x, y, width, height } = layout.node(String(box.id));
  Object.assign(box, { x, y });
  const part = (box.peak / Math.max(most, 1)) ** 2;
  const frame = { x: x - width / 2, y: y - height / 2, width, height };
  const node = svg('g', { class: box.className, id: `box-${box.id}`, 'data-block': box.id, role: 'option', 'aria-label': box.name, 'aria-selected': 'false' },
    svg('title', {}, box.name), svg('rect', { class: 'frame', ...frame }),
    svg('rect', { class: 'heat', ...frame, 'fill-opacity': (0.42 * part).toFixed(3) }),
    svg('text', { class: 'label', x, y: y - 4, 'text-anchor': 'middle' }, box.title),
    svg('text', { x, y: y + 13, 'text-anchor': 'middle' }, box.facts));
  return node;
}

/** Lays out and draws the graph, unless it is drawn already. */
function showGraph() {
  if (element('graph-view').hidden || !current) return;
  const side = sideOf(element('side').value);
  const key = [current.index, side.key, element('boxes').value, element('part').value].join(' ');
  if (key === graph.key) return markGraph(true);
  graph.key = key;
  Object.assign(graph, listBoxes(side), { selected: null, drawing: null });
  const edges = listEdges(side, graph.boxes, graph.boxOf);
  const layout = layOut(graph.boxes, edges, side, graph.boxOf);
  const arrow = svg('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: 'userSpaceOnUse', orient: 'auto' },
    svg('path', { d: 'M0,0L8,4L0,8Z' }));
  // The layout states a size without the bends of edges.
  const { width, height } = layout.graph();
  let left = 0, right = width;
  const paths = edges.map(edge => {
    const points = edgePoints(layout, edge);
    for (const { x } of points) [left, right] = [Math.min(left, x - 8), Math.max(right, x + 8)];
    return { edge, d: smooth(points) };
  }).map(({ edge, d }) => svg('path', {
    class: `edge ${edge.kind}${edge.isBack ? ' back' : ''}`, d, 'marker-end': 'url(#arrow)',
  }, svg('title', {}, `B${edge.from} to B${edge.to}${edge.condition ? ` if ${edge.condition}` : ''}`)));
  const nodes = [...graph.boxes.values()].map(box => drawBox(box, layout, side.peak));
  graph.size = { left, width: Math.max(right - left, 10), height: Math.max(height, 10) };
  graph.drawing = svg('svg', { viewBox: `${left} 0 ${graph.size.width} ${graph.size.height}`, role: 'presentation' },
    svg('defs', {}, arrow), svg('g', {}, ...paths), svg('g', {}, ...nodes));
  graphPane.replaceChildren(graph.drawing);
  const fit = (graphPane.clientWidth - 4) / graph.size.width;
  setZoom(Math.min(Math.max(fit, 0.6), 1));
  const [entry] = graph.boxes.values();
  if (entry) scrollToBox(entry);
  markGraph(true);
}

function setZoom(zoom) {
  graph.zoom = Math.min(Math.max(zoom, 0.05), 3);
  if (!graph.drawing) return;
  graph.drawing.setAttribute('width', graph.size.width * graph.zoom);
  graph.drawing.setAttribute('height', graph.size.height * graph.zoom);
}

/** Marks the box of the selected block, and scrolls to it. */
function markGraph(isScrolled) {
  if (!graph.drawing) return;
  const isShown = current && sideOf(element('side').value).key === state.side;
  const id = isShown && state.block >= 0 ? graph.boxOf.get(state.block) : undefined;
  graph.selected?.classList.remove('selected');
  graph.selected?.setAttribute('aria-selected', 'false');
  const box = graph.boxes.get(id);
  graph.selected = box ? element(`box-${id}`) : null;
  if (!box) return graphPane.removeAttribute('aria-activedescendant');
  graph.selected.classList.add('selected');
  graph.selected.setAttribute('aria-selected', 'true');
  graphPane.setAttribute('aria-activedescendant', `box-${id}`);
  if (isScrolled) scrollToBox(box);
}

function scrollToBox(box) {
  const x = (box.x - graph.size.left) * graph.zoom, y = box.y * graph.zoom;
  const { scrollLeft, scrollTop, clientWidth, clientHeight } = graphPane;
  if (x < scrollLeft + 40 || x > scrollLeft + clientWidth - 40) graphPane.scrollLeft = x - clientWidth / 2;
  if (y < scrollTop + 30 || y > scrollTop + clientHeight - 30) graphPane.scrollTop = y - clientHeight / 2;
}

graphPane.addEventListener('click', event => {
  const box = event.target.closest('.box');
  if (box) select({ side: sideOf(element('side').value).key, block: Number(box.dataset.block) }, { inGraph: false });
});
graphPane.addEventListener('wheel', event => {
  if (!event.ctrlKey) return;
  setZoom(graph.zoom * (event.deltaY < 0 ? 1.15 : 1 / 1.15));
  event.preventDefault();
}, { passive: false });
element('larger').addEventListener('click', () => setZoom(graph.zoom * 1.25));
element('smaller').addEventListener('click', () => setZoom(graph.zoom / 1.25));

/** The arrow keys select the nearest box in their direction. */
graphPane.addEventListener('keydown', event => {
  const directions = { ArrowDown: [0, 1], ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowLeft: [-1, 0] };
  const keys = { '+': 1.25, '=': 1.25, '-': 0.8 };
  if (event.key in keys) {
    setZoom(graph.zoom * keys[event.key]);
  } else if (event.key in directions && graph.boxes.size) {
    const [dx, dy] = directions[event.key];
    const at = graph.boxes.get(graph.boxOf.get(state.block));
    let best = null, least = Infinity;
    for (const box of graph.boxes.values()) {
      if (!at) {
        best ??= box;
        continue;
      }
      const x = box.x - at.x, y = box.y - at.y;
      const along = x * dx + y * dy, across = Math.abs(x * dy + y * dx);
      const distance = along + 2 * across;
      if (along > 1 && (dx === 0 || across < BOX.height) && distance < least) [best, least] = [box, distance];
    }
    if (best) select({ side: sideOf(element('side').value).key, block: best.id });
  } else {
    return;
  }
  event.preventDefault();
});

for (const id of ['boxes', 'part', 'side']) {
  element(id).addEventListener('change', () => {
    if (id === 'side') listParts();
    showGraph();
  });
}

/** Lists the loops of the side that is drawn, and chooses which blocks are one box. */
function listParts() {
  const side = sideOf(element('side').value);
  const option = (value, text) => Object.assign(document.createElement('option'), { value, textContent: text });
  const loops = side.cfg.loops.map((found, id) => option(id, `${'  '.repeat(found.depth - 1)}loop ${blockName(side.blocks[found.header])}`));
  element('part').replaceChildren(option('', 'all'), ...loops);
  element('part').hidden = !loops.length;
  const count = kind => new Set(side.blocks.map(block => block[kind])).size;
  element('boxes').value = ['block', 'chain'].find(kind => count(kind) <= MANY_BLOCKS) ?? 'region';
  return count(element('boxes').value);
}
