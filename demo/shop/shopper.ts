/** Who is signed in at the shop. A real one knows its customers; the payer then need not type this again. */
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
