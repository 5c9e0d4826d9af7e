/** The kit. Loading it defines `<tillfront-checkout>`. */
export { createTillfront } from './client.js';
export { collectDeviceData } from './device-data.js';
export { followRedirect } from './follow-redirect.js';
export { TillfrontError } from './tillfront-error.js';
export { TillfrontCheckout } from '../element/checkout-element.js';
