import { h } from '../dom.js';
import type { MessageKey } from '../messages.js';
import type { ViewContext } from './view-context.js';

const SHOWN_MS = 2_500;

/** A button that copies a text and confirms it. */
export function copyButton(context: ViewContext, text: string, name: MessageKey): HTMLElement {
  const { t } = context.language;
  const face = h('span', { 'aria-hidden': 'true' }, t('copy'));
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    face.textContent = t('copied');
    context.announce(t('copied'));
    setTimeout(() => (face.textContent = t('copy')), SHOWN_MS);
  };
  return h(
    'button',
    {
      type: 'button',
      class: 'copy',
      // browsers allow the clipboard on secure pages only, but the text itself can always be selected
      hidden: !('clipboard' in navigator),
      onclick: () => void copy().catch(() => undefined),
    },
    face,
    h('span', { class: 'unseen' }, t(name)),
  );
}
