/** A command or a person's word that is not allowed now: a problem code of the API. Nothing was recorded. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code:
      | 'session-paid'
      | 'session-closed'
      | 'session-expired'
      | 'payment-in-progress'
      | 'operation-in-progress'
      | 'invalid-state'
      | 'outcome-unknown'
      | 'not-supported'
      | 'not-found'
      | 'reference-in-use'
      | 'validation-failed',
    readonly detail: string,
    readonly paymentId?: string,
    /** Of `validation-failed`: the JSON pointer. */
    readonly pointer?: string,
  ) {
    super(`${code}: ${detail}`);
  }
}
