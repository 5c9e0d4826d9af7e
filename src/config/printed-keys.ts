/**
 * Keys that the documents, the examples and the demo print, and that no estimate of their strength can be trusted with:
 * everybody can read them. Secrets of the sandbox are not here, because they open nothing of a merchant.
 */
const PRINTED: ReadonlySet<string> = new Set([
  'a-key-that-i-have-chosen',
  'demo-merchant-key-for-loopback-only',
  `whsec_${Buffer.from('a secret that is fit for the demo only').toString('base64')}`,
]);

/** Whether a key, without its name, is one that our documents print. */
export function isPrinted(key: string): boolean {
  return PRINTED.has(key);
}
