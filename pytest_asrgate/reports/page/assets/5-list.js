// A long list of which only what is in view is in the document. Rows have one height; the opened one is measured.

// So many rows above and below the window are ready before they are scrolled to.
const SPARE = 8;
// Browsers stop placing things at some millions of pixels.
const LONGEST = 100000;

class VirtualList {
  /** `build(place, opened)` makes the element of a row; `element` is the list. */
  constructor(element, build) {
    this.element = element;
    this.build = build;
    this.count = 0;
    this.opened = -1;
    this.openedHeight = 0;
    this.rowHeight = 0;
    this.rows = new Map();
    this.waiting = false;
    const later = () => this.later();
    window.addEventListener("scroll", later, { passive: true });
    window.addEventListener("resize", later);
    this.sizes = new ResizeObserver((entries) => this.measured(entries));
    new ResizeObserver(later).observe(document.body);
  }

  /** Show this many rows, none of them opened. */
  reset(count) {
    this.count = Math.min(count, LONGEST);
    this.opened = -1;
    this.openedHeight = 0;
    this.clear();
    this.draw();
  }

  clear() {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.sizes.disconnect();
  }

  /** Open one row, and close the one before; -1 opens none. */
  open(place) {
    const before = this.opened;
    // What was clicked stays where it is, whatever is closed above it.
    const anchor = place >= 0 ? place : before;
    const was = this.rows.get(anchor)?.getBoundingClientRect().top;
    this.opened = place;
    this.openedHeight = 0;
    this.sizes.disconnect();
    for (const changed of [before, place]) {
      const old = this.rows.get(changed);
      if (!old) continue;
      const focused = old.contains(document.activeElement);
      old.remove();
      this.rows.delete(changed);
      if (focused) this.show(changed).querySelector("button.open").focus({ preventScroll: true });
    }
    this.draw();
    if (was === undefined) return;
    const now = this.show(anchor).getBoundingClientRect().top;
    // The head of a row that was read to its end and closed comes back into view.
    scrollBy({ top: now - (place < 0 ? Math.max(was, 0) : was), behavior: "instant" });
    this.draw();
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  get extra() {
    return this.opened < 0 ? 0 : Math.max(0, this.openedHeight - this.rowHeight);
  }

  top(place) {
    return place * this.rowHeight + (this.opened >= 0 && place > this.opened ? this.extra : 0);
  }

  /** The place of the row at this distance from the top of the list. */
  at(offset) {
    const height = this.rowHeight;
    if (this.opened >= 0 && offset > this.top(this.opened)) {
      const below = offset - this.top(this.opened) - height - this.extra;
      return below < 0 ? this.opened : this.opened + 1 + Math.floor(below / height);
    }
    return Math.floor(offset / height);
  }

  measured(entries) {
    const height = entries.at(-1).target.offsetHeight;
    if (height && Math.abs(height - this.openedHeight) > 0.5) {
      this.openedHeight = height;
      this.later();
    }
  }

  show(place) {
    const known = this.rows.get(place);
    if (known) return known;
    const row = this.build(place, place === this.opened);
    row.setAttribute("aria-setsize", this.count);
    row.setAttribute("aria-posinset", place + 1);
    this.rows.set(place, row);
    // In the order of the list, so that the Tab key and screen readers go through it in order.
    const next = [...this.rows.keys()].filter((other) => other > place).sort((a, b) => a - b)[0];
    this.element.insertBefore(row, next === undefined ? null : this.rows.get(next));
    if (place === this.opened) {
      this.openedHeight = row.offsetHeight;
      this.sizes.observe(row);
    }
    return row;
  }

  draw() {
    // The style sheet says how high a row is, and more on a phone.
    this.rowHeight = parseFloat(getComputedStyle(this.element).getPropertyValue("--row-height"));
    const from = -this.element.getBoundingClientRect().top;
    // A few are there also while the list is out of view: the Tab key must find them.
    const first = Math.max(0, Math.min(this.at(from), this.count - 1) - SPARE);
    const last = Math.min(this.count - 1, Math.max(this.at(from + window.innerHeight), 0) + SPARE);
    for (const [place, row] of this.rows) {
      const focused = row.contains(document.activeElement);
      if ((place < first || place > last) && !focused && place !== this.opened) {
        row.remove();
        this.rows.delete(place);
      }
    }
    for (let place = first; place <= last; place += 1) this.show(place);
    if (this.opened >= 0 && this.opened < this.count) this.show(this.opened);
    for (const [place, row] of this.rows) row.style.transform = `translateY(${this.top(place)}px)`;
    this.element.style.height = `${this.top(this.count)}px`;
  }

  /** Scroll so that a row is in view, and give it the focus. */
  focus(place) {
    const row = this.show(Math.max(0, Math.min(this.count - 1, place)));
    // The focus comes first: drawing takes away what is neither in view nor has it.
    row.querySelector("button.open").focus({ preventScroll: true });
    this.draw();
    // Of a tall opened row it is the head that has the focus.
    row.querySelector(".row-title").scrollIntoView({ block: "nearest" });
  }
}
