import type { Child } from '../element/dom.js';

/**
 * A part of a page that shows data. It is drawn again only where the data has changed, and then keeps the focus, what was
 * scrolled and what was unfolded, so that a page that refreshes itself disturbs nobody.
 */
export class Part {
  #shown: string | undefined;

  constructor(readonly element: HTMLElement) {}

  show(data: unknown, draw: () => readonly Child[]): void {
    const shown = JSON.stringify(data);
    if (shown === this.#shown) return;
    redraw(this.element, draw());
    this.#shown = shown;
  }
}

function redraw(element: HTMLElement, children: readonly Child[]): void {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const name = focused && nameOf(focused);
  const scrolled = scrollers(element).map(({ scrollLeft }) => scrollLeft);
  const unfolded = folds(element).map(({ open }) => open);
  element.replaceChildren(...children.filter((child) => child !== undefined && child !== false));
  scrollers(element).forEach((scroller, index) => (scroller.scrollLeft = scrolled[index] ?? 0));
  folds(element).forEach((fold, index) => (fold.open = unfolded[index] ?? fold.open));
  if (name === null) return;
  const same = [...element.querySelectorAll<HTMLElement>('a, button, summary, [tabindex]')].find(
    (candidate) => nameOf(candidate) === name,
  );
  (same ?? element.closest('section')?.querySelector<HTMLElement>('h2'))?.focus({ preventScroll: true });
}

function scrollers(element: HTMLElement): Element[] {
  return [...element.querySelectorAll('.scroll')];
}

function folds(element: HTMLElement): HTMLDetailsElement[] {
  return [...element.querySelectorAll('details')];
}

/** What tells one control of a part from another. */
function nameOf(element: Element): string {
  const name = element.getAttribute('aria-label') ?? element.textContent;
  return `${element.tagName} ${element.getAttribute('href') ?? ''} ${name}`;
}
