export type * from './api.js';
export {
  verifyEvent,
  WebhookVerificationError,
  type EventType,
  type ListedEvent,
  type WebhookHeaders,
} from './events.js';
export type { CallOptions, TillfrontOptions } from './http.js';
export { Tillfront } from './tillfront.js';
export { TillfrontError, type ErrorCode } from './tillfront-error.js';
