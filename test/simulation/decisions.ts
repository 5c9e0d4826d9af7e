/** What people have decided, as they know it themselves. */
export class Decisions {
  /** Approvals that another one than the asker has called for: only these may be acted on. */
  readonly approved = new Set<string>();
  /** Those of which somebody was told that they are declined. */
  readonly declined = new Set<string>();
  /** Which operation went out on each. */
  readonly used = new Map<string, string>();
}
