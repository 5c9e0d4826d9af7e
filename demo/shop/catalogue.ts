/** What the shop sells. Prices live on the server: the browser only says which thing it wants. */
export interface Product {
  id: string;
  name: string;
  about: string;
  /** Decimal, in naira. */
  price: string;
  /** A colour in place of a photograph. */
  colour: string;
}

export const catalogue: readonly Product[] = [
  {
    id: 'coffee',
    name: 'Jos Plateau coffee, 250 g',
    about: 'Washed arabica, roasted on Tuesdays.',
    price: '6500.00',
    colour: '#6f4a2f',
  },
  {
    id: 'cloth',
    name: 'Adire cloth, 2 m',
    about: 'Indigo, dyed by hand in Abeokuta.',
    price: '18200.00',
    colour: '#27407a',
  },
  {
    id: 'book',
    name: '“Half a Yellow Sun”',
    about: 'Paperback, read once and with care.',
    price: '1500.00',
    colour: '#c9962b',
  },
];

export function productOf(id: string | null): Product | undefined {
  return catalogue.find((product) => product.id === id);
}
