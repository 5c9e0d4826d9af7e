import { h } from './dom.js';
import type { Merchant } from './merchant.js';

/** Who is paid: logo and name. */
export function brandHeader(baseUrl: string, { name, logo }: Merchant): HTMLElement[] {
  const image =
    logo === null
      ? undefined
      : h('img', {
          class: 'logo',
          src: baseUrl.replace(/(?<!\/)\/+$/, '') + logo,
          alt: '',
          decoding: 'async',
        });
  // a policy of the shop's page may forbid pictures from here
  image?.addEventListener('error', () => image.remove());
  return [
    ...(image === undefined ? [] : [image]),
    ...(name === null ? [] : [h('p', { class: 'name' }, name)]),
  ];
}

/** Colours the element, except where the page sets colours of its own. */
export function paint({ style }: HTMLElement, { accent }: Merchant): void {
  if (accent === null) return;
  style.setProperty('--tillfront-brand', accent.light);
  style.setProperty('--tillfront-on-brand', accent.onLight);
  style.setProperty('--tillfront-brand-dark', accent.dark);
  style.setProperty('--tillfront-on-brand-dark', accent.onDark);
}
