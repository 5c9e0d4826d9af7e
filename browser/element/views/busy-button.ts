import { h } from '../dom.js';
import type { MessageKey, Translate } from '../messages.js';

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
    this.#say('working');
    this.#timer = setTimeout(() => this.#say('workingLong'), LONG_MS);
  }

  retrying(offline: boolean): void {
    if (!this.isBusy) return;
    clearTimeout(this.#timer);
    this.#say(offline ? 'offline' : 'retrying');
  }

  /** A live region reads out whatever is put into it, the same words too. */
  #say(key: MessageKey): void {
    const text = this.#t(key);
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.element.removeAttribute('aria-disabled');
    this.status.textContent = '';
  }
}
