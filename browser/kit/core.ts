/** The kit without the element, for pages that bring their own form. */
export { createTillfront } from './client.js';
export { collectDeviceData } from './device-data.js';
export { followRedirect } from './follow-redirect.js';
export { TillfrontError } from './tillfront-error.js';
