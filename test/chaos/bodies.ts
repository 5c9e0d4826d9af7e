/** What payers send. */

export const PAYER = { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' };
export const BILLING = {
  street: '1 Marina',
  city: 'Lagos',
  stateProvince: 'Lagos',
  postCode: '101001',
  country: 'NGA',
};
const DEVICE = {
  javaEnabled: false,
  language: 'en-NG',
  screenHeight: 1080,
  screenWidth: 1920,
  colorDepth: 24,
  timeZone: 'Africa/Lagos',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chaos/1.0',
};

/** A card payment's body. */
export function cardBody(number: string): object {
  const card = { number, expiryMonth: '12', expiryYear: '2035', cvv: '111', nameOnCard: 'Ada Obi' };
  return { card, device: DEVICE };
}
