/** What the audit names: each a verb. More may come. */
export type AuditAction =
  | 'complete'
  | 'void'
  | 'refund'
  | 'resolve'
  | 'cancel'
  | 'close'
  | 'redact'
  | 'redeliver'
  | 'compare'
  | 'orders'
  | 'adopt'
  | 'export'
  | 'sign-in'
  | 'authenticate'
  | 'migrate'
  | 'copy'
  | 'accept-loss'
  | 'release'
  | 'reopen'
  | 'note'
  | 'approve'
  | 'decline'
  | 'search';

/** The action of a wrong key. */
export const SHOWN_KEY: AuditAction = 'authenticate';
