import { h } from '../dom.js';
import { panel } from './outcome-view.js';
import type { RenderedView, ViewContext } from './view-context.js';

/** The page was opened at an address that is not its own. */
export function elsewhereView(context: ViewContext, href: string): RenderedView {
  const { t } = context.language;
  return panel(context, 'neutral', 'elsewhere.title', [
    h('p', {}, t('elsewhere.text')),
    h('a', { class: 'primary', href }, t('elsewhere.go', { host: new URL(href).host })),
  ]);
}
