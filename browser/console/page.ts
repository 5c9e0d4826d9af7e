import { h } from '../element/dom.js';
import type { Route } from './route.js';

/** One of the console’s pages. */
export interface Page {
  readonly element: HTMLElement;
  /** Gets the focus when the page is opened. */
  readonly heading: HTMLElement;
  /** Goes to another address of the same page. False where another page must show it. */
  accept(route: Route): boolean;
  open(): Promise<void>;
  close(): void;
}

/** A page’s heading, which may get the focus but is no stop of the Tab key. */
export function heading(...text: string[]): HTMLHeadingElement {
  return h('h2', { tabindex: -1 }, ...text);
}
