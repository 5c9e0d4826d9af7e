import { h } from '../element/dom.js';

const SHOWN_MS = 2_500;

/** A text for machines with a button that copies it. `name` says which text: `the reference`. */
export function copied(text: string, name: string): HTMLElement {
  const told = h('span', { class: 'muted', role: 'status' });
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    told.textContent = 'Copied';
    setTimeout(() => (told.textContent = ''), SHOWN_MS);
  };
  const button = h(
    'button',
    {
      type: 'button',
      class: 'copy',
      'aria-label': `Copy ${name}`,
      // browsers allow the clipboard on secure pages only, but the text itself can always be selected
      hidden: !('clipboard' in navigator),
      onclick: () => void copy().catch(() => undefined),
    },
    'Copy',
  );
  return h('span', { class: 'copied' }, h('code', {}, text), button, told);
}
