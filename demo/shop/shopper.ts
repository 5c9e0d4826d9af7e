/** The customer who is signed in. A real shop knows its customers, so the payer need not type this again. */
export const SHOPPER = {
  payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
  billing: {
    street: '1 Marina',
    city: 'Lagos',
    stateProvince: 'Lagos',
    postCode: '101001',
    country: 'NGA',
  },
} as const;
