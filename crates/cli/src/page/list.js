// A list that only contains the rows in view.

/** Browsers do not lay out elements that are much higher. */
const MAX_HEIGHT = 12e6;

class List {
  /** `render(first, count)` fills the rows in `this.view`, of which the first may be partly hidden. */
  constructor(pane, rowHeight, render) {
    Object.assign(this, { pane, rowHeight, render, length: 0, isPending: false });
    this.view = document.createElement('div');
    this.view.className = 'view';
    this.view.setAttribute('role', 'presentation');
    this.rows = document.createElement('div');
    this.rows.className = 'rows';
    this.rows.setAttribute('role', 'presentation');
    this.space = document.createElement('div');
    this.space.setAttribute('role', 'presentation');
    this.view.append(this.rows);
    pane.append(this.view, this.space);
    pane.addEventListener('scroll', () => this.update(), { passive: true });
    new ResizeObserver(() => this.resize()).observe(pane);
  }

  resize(length = this.length) {
    this.length = length;
    this.height = this.pane.clientHeight;
    const full = this.length * this.rowHeight;
    this.view.style.height = `${this.height}px`;
    this.space.style.height = `${Math.max(Math.min(full, MAX_HEIGHT) - this.height, 0)}px`;
    this.range = Math.max(full - this.height, 0);
    this.scale = full > MAX_HEIGHT ? this.range / (MAX_HEIGHT - this.height) : 1;
    this.draw();
  }

  /** Draws in the next frame. */
  update() {
    if (this.isPending) return;
    this.isPending = true;
    requestAnimationFrame(() => this.draw());
  }

  get top() {
    return Math.min(this.pane.scrollTop * this.scale, this.range);
  }

  draw() {
    this.isPending = false;
    const first = Math.floor(this.top / this.rowHeight);
    const shift = Math.round(this.top - first * this.rowHeight);
    const count = Math.min(Math.ceil((this.height + shift) / this.rowHeight), this.length - first);
    this.rows.style.transform = `translateY(${-shift}px)`;
    this.first = first;
    this.render(first, Math.max(count, 0));
  }

  /** Scrolls a row into view. A row that is far away is scrolled to a third of the height. */
  show(row) {
    const at = row * this.rowHeight, top = this.top, margin = Math.min(3 * this.rowHeight, this.height / 4);
    const bottom = top + this.height - this.rowHeight;
    let to = top;
    if (at < top - margin || at > bottom + margin) to = at - this.height / 3;
    else if (at < top + margin) to = at - margin;
    else if (at > bottom - margin) to = at + margin - (bottom - top);
    if (to !== top) this.pane.scrollTop = Math.min(Math.max(to, 0), this.range) / this.scale;
    this.update();
  }

  /** Returns the number of rows of a page. */
  get page() {
    return Math.max(Math.floor(this.height / this.rowHeight) - 1, 1);
  }

  /** Returns the element of a row in view, with as many as are needed. */
  element(index, create) {
    while (this.rows.children.length <= index) this.rows.append(create());
    return this.rows.children[index];
  }

  /** Removes the rows after the last one in view. */
  trim(count) {
    while (this.rows.children.length > count) this.rows.lastElementChild.remove();
  }
}

