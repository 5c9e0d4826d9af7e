import type { Bank } from '../dialects/answer.ts';

/** Nigerian banks with their well-known codes, as a gateway would list them. */
export const BANKS: readonly Bank[] = [
  { code: '044', name: 'Access Bank' },
  { code: '050', name: 'Ecobank' },
  { code: '070', name: 'Fidelity Bank' },
  { code: '011', name: 'First Bank of Nigeria' },
  { code: '214', name: 'First City Monument Bank' },
  { code: '058', name: 'Guaranty Trust Bank' },
  { code: '039', name: 'Stanbic IBTC Bank' },
  { code: '232', name: 'Sterling Bank' },
  { code: '033', name: 'United Bank for Africa' },
  { code: '057', name: 'Zenith Bank' },
];

export function bankNamed(code: string): Bank | undefined {
  return BANKS.find((bank) => bank.code === code);
}
