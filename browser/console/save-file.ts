import { h } from '../element/dom.js';

/** Gives a file to the browser’s downloads. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  h('a', { href: address, download: name }).click();
  // The browser has taken the file by the next minute.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
