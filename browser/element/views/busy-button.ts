import { h } from '../dom.js';
import type { Translate } from '../messages.js';

/** After this time a payer begins to worry. */
const LONG_MS = 8_000;

/**
 * A button for work that takes a while, with a text below it that says so. While it is busy it keeps its label and focus,
 * and pressing it again does nothing.
 */
export class BusyButton {
  readonly element: HTMLButtonElement;
  readonly status: HTMLElement;
  readonly #t: Translate;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(t: Translate, label: Node, attributes: { class: string; type: 'submit' | 'button' }) {
    this.#t = t;
    this.element = h('button', attributes, h('span', { class: 'spinner', 'aria-hidden': 'true' }), label);
    this.status = h('p', { class: 'progress', role: 'status' });
  }

  get isBusy(): boolean {
    return this.element.getAttribute('aria-disabled') === 'true';
  }

  start(): void {
    this.element.setAttribute('aria-disabled', 'true');
    this.status.textContent = this.#t('working');
    this.#timer = setTimeout(() => (this.status.textContent = this.#t('workingLong')), LONG_MS);
  }

  retrying(offline: boolean): void {
    if (!this.isBusy) return;
    clearTimeout(this.#timer);
    this.status.textContent = this.#t(offline ? 'offline' : 'retrying');
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.element.removeAttribute('aria-disabled');
    this.status.textContent = '';
  }
}
