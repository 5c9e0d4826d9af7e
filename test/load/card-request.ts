/** The card payment that everybody is measured with. */
export const payer = {
  email: 'ada@example.com',
  phone: '+2348012345678',
  firstName: 'Ada',
  lastName: 'Obi',
};
export const billing = {
  street: '1 Marina',
  city: 'Lagos',
  stateProvince: 'Lagos',
  postCode: '101001',
  country: 'NGA',
};
const card = {
  number: '5060990580000217499',
  expiryMonth: '12',
  expiryYear: '2099',
  cvv: '111',
  pin: '1111',
  nameOnCard: 'Ada Obi',
};
const device = {
  javaEnabled: false,
  language: 'en-NG',
  screenHeight: 1080,
  screenWidth: 1920,
  colorDepth: 24,
  timeZone: 'Africa/Lagos',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

const atGateway = {
  cardNumber: card.number,
  expiryMonth: card.expiryMonth,
  expiryYear: card.expiryYear,
  cvv: card.cvv,
  card_pin: card.pin,
  nameOnCard: card.nameOnCard,
  amount: '1500.00',
  currency: 'NGN',
  authNotifyUrl: 'https://shop.example/return',
  payerEmail: payer.email,
  payerPhone: payer.phone,
  firstName: payer.firstName,
  lastName: payer.lastName,
  billingStreet: billing.street,
  billingCity: billing.city,
  billingStateProvince: billing.stateProvince,
  billingPostCode: billing.postCode,
  billingCountry: billing.country,
  ...device,
};

/** As the service takes it. */
export const servicePayment = JSON.stringify({ card, payer, billing, device });

/** As the gateway takes it, which is what a server that only passes on is given. */
export function gatewayPayment(reference: string): string {
  return JSON.stringify({ ...atGateway, client_ref: reference });
}
