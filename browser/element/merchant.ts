import { NoAnswer } from '../kit/connection.js';
import { keepTrying } from '../kit/keep-trying.js';

/** Who is paid, and whether this page may call the service: `/kit/merchant.json`. */
export interface Merchant {
  name: string | null;
  /** Path of the logo below the service's address. */
  logo: string | null;
  accent: { light: string; onLight: string; dark: string; onDark: string } | null;
  baseUrl: string;
  /** This page's origin, if the service refuses calls from it. */
  refusedOrigin: string | null;
}

const PATIENCE_MS = 20_000;

/**
 * Reads who is paid. `foreign`: something answers at the address, but it is not Tillfront. `silent`: nothing answers.
 */
export async function loadMerchant(baseUrl: string): Promise<Merchant | 'foreign' | 'silent'> {
  try {
    return await keepTrying(() => read(`${baseUrl.replace(/(?<!\/)\/+$/, '')}/kit/merchant.json`), {
      giveUpAfterMs: PATIENCE_MS,
    });
  } catch {
    return 'silent';
  }
}

async function read(url: string): Promise<Merchant | 'foreign'> {
  let answer: Response;
  try {
    answer = await fetch(url, { referrerPolicy: 'no-referrer' });
  } catch {
    throw new NoAnswer();
  }
  if (answer.status >= 500) throw new NoAnswer();
  const merchant: unknown = await answer.json().catch(() => undefined);
  return answer.ok && isMerchant(merchant) ? merchant : 'foreign';
}

function isMerchant(value: unknown): value is Merchant {
  return typeof value === 'object' && value !== null && 'refusedOrigin' in value;
}
