import { isLoopback } from '../kit/loopback.js';

/** Where a ready-made page belongs. */
export interface RightAddress {
  href: string;
  /** Whether both addresses are this machine's, so that the page may go there by itself. */
  isSameMachine: boolean;
}

/**
 * Where this page belongs, if it was opened at another origin than `PUBLIC_BASE_URL`: the service would refuse its calls.
 * The fragment stays, since it may hold a token. Undefined where the page is where it belongs.
 */
export function rightAddress(
  page: 'checkout' | 'console',
  here: URL,
  baseUrl: string,
): RightAddress | undefined {
  if (baseUrl === '') return undefined;
  const base = new URL(baseUrl);
  if (base.origin === here.origin) return undefined;
  return {
    href: `${baseUrl}/${page}${here.search}${here.hash}`,
    isSameMachine: isLoopback(base.hostname) && isLoopback(here.hostname),
  };
}
