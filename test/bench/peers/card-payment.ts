import axios from 'axios';
import type { AxiosRequestConfig } from 'axios';

/** What a merchant's server that is copied from a vendor's sample does with a card: rename the fields, send them, pass the answer on. */

interface Body {
  reference: string;
  amount: string;
  currency: string;
  card: Record<string, string>;
  payer: Record<string, string>;
  billing: Record<string, string>;
  device: Record<string, unknown>;
}

export interface Outcome {
  status: string;
  transactionRef: string;
}

export const GATEWAY = process.env['GATEWAY_BASE_URL'] ?? '';
export const HEADERS = { 'x-api-key': 'key', 'access-token': 'token' };

export function gatewayRequest({ reference, amount, currency, card, payer, billing, device }: Body): object {
  return {
    cardNumber: card['number'],
    expiryMonth: card['expiryMonth'],
    expiryYear: card['expiryYear'],
    cvv: card['cvv'],
    card_pin: card['pin'],
    nameOnCard: card['nameOnCard'],
    amount,
    currency,
    client_ref: reference,
    payerEmail: payer['email'],
    payerPhone: payer['phone'],
    firstName: payer['firstName'],
    lastName: payer['lastName'],
    billingStreet: billing['street'],
    billingCity: billing['city'],
    billingStateProvince: billing['stateProvince'],
    billingPostCode: billing['postCode'],
    billingCountry: billing['country'],
    ...device,
  };
}

export function outcomeOf(answer: unknown): Outcome {
  const { data } = answer as { data: { transactionRef: string; transaction: { status: string } } };
  return { status: data.transaction.status, transactionRef: data.transactionRef };
}

export async function charge(body: Body, config: AxiosRequestConfig = {}): Promise<Outcome> {
  const answer = await axios.post<unknown>(`${GATEWAY}/payment/card`, gatewayRequest(body), {
    headers: HEADERS,
    timeout: 30_000,
    ...config,
  });
  return outcomeOf(answer.data);
}
