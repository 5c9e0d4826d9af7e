/** A public RSA key as a JWK (RFC 7517). */
export class CardEncryptionKeyDto {
  /** Key type: `RSA`. */
  kty: string;
  /** Modulus, base64url. */
  n: string;
  /** Exponent, base64url. */
  e: string;
  /** Names the key; goes into the JWE's protected header. */
  kid: string;
  /** `enc`. */
  use: string;
  /** `RSA-OAEP-256`. */
  alg: string;
}
