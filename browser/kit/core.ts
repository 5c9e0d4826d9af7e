/** The kit without the element, for pages with a form of their own. */
export { createTillfront } from './client.js';
export { collectDeviceData } from './device-data.js';
export { followRedirect } from './follow-redirect.js';
export { TillfrontError } from './tillfront-error.js';
