import type { PaymentReader } from '../kit/payment-reader.js';
import { TillfrontError } from '../kit/tillfront-error.js';
import type { Payment } from '../kit/types.js';

/** The session id inside a client token: `cst_<session id>.<mac>`. */
function sessionOf(clientToken: string): string | undefined {
  return /^cst_([^.]+)\./.exec(clientToken)?.[1];
}

/**
 * Decides who opened a link back from the bank. It is the payer if the tab still has the client token of the payment's
 * session, otherwise it may be anybody. If the link itself has expired, a client token in the tab is used, because it shows
 * only its own session.
 */
export async function openLink(
  reader: PaymentReader,
  clientToken: string,
): Promise<{ isOwn: boolean; payment?: Payment }> {
  const session = sessionOf(clientToken);
  if (session === undefined) return { isOwn: false };
  try {
    const payment = await reader.payment();
    return { isOwn: payment.sessionId === session, payment };
  } catch (error) {
    if (error instanceof TillfrontError) return { isOwn: true };
    throw error;
  }
}
