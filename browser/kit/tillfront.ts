/** The whole kit; loading it defines `<tillfront-checkout>`. */
export * from './core.js';
export { TillfrontCheckout } from '../element/checkout-element.js';
