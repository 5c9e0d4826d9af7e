/** Whether the process should get requests and, where not, why. */
export class ReadinessDto {
  status: 'ready' | 'not-ready';
  reason?: 'stopping' | 'store';
  /** For a person. */
  detail?: string;
  /** When the loss of commits was noticed (RFC 3339, UTC), while the store is restored. */
  restored?: string;
}
