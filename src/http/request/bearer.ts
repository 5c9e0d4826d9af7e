/** What an `Authorization` header presents as a bearer secret; undefined where it presents none, or none that could be ours. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1];
}

/** Whether an `Authorization` header means to present a bearer secret, however badly. */
export function hasBearer(authorization: string | undefined): boolean {
  return /^Bearer\b/i.test(authorization ?? '');
}
