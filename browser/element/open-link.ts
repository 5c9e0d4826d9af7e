import type { PaymentReader } from '../kit/payment-reader.js';
import { TillfrontError } from '../kit/tillfront-error.js';
import type { Payment } from '../kit/types.js';

/** The session that a client token says it is for: `cst_<session id>.<mac>`. */
function sessionOf(clientToken: string): string | undefined {
  return /^cst_([^.]+)\./.exec(clientToken)?.[1];
}

/**
 * Whose tab a link back from the bank was opened in: that of its payer, where the tab still has the client token of the payment's session,
 * or anybody's. Where the link itself no longer tells, a client token that there is does: it shows nothing but its own session.
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
