/** The bearer secret of an `Authorization` header. Undefined where it has none, or none that could be ours. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1];
}

/** Whether an `Authorization` header tries to present a bearer secret, even a malformed one. */
export function hasBearer(authorization: string | undefined): boolean {
  return /^Bearer\b/i.test(authorization ?? '');
}
