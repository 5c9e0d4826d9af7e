/**
 * What a handler answers where its status or headers are its own. The edge sends it as it is: an interceptor in its place would cost each
 * payment more than all checks of its body.
 */
export class Answer<T> {
  /** `status`: in place of the route's own. */
  constructor(
    readonly body: T,
    readonly head: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {}
}

/** The head of an answer to a repeated call. */
export const REPLAYED = { status: 200, headers: { 'Idempotency-Replayed': 'true' } } as const;
