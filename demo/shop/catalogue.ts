/** What the shop sells. Prices are kept on the server, and the browser only names the item. */
export interface Product {
  id: string;
  name: string;
  about: string;
  /** Decimal, in naira. */
  price: string;
  /** The colour and the lines of a drawing, 120 by 64, instead of a photograph. */
  colour: string;
  drawing: string;
}

export const catalogue: readonly Product[] = [
  {
    id: 'coffee',
    name: 'Jos Plateau coffee, 250 g',
    about: 'Washed arabica, roasted on Tuesdays.',
    price: '6500.00',
    colour: '#6f4a2f',
    drawing:
      'M44 26h26v12a10 10 0 0 1-10 10h-6a10 10 0 0 1-10-10zM70 29h4a5 5 0 0 1 0 11h-4M51 14c-3 3 3 4 0 8M59 14c-3 3 3 4 0 8',
  },
  {
    id: 'cloth',
    name: 'Adire cloth, 2 m',
    about: 'Indigo, dyed by hand in Abeokuta.',
    price: '18200.00',
    colour: '#27407a',
    drawing:
      'M38 16h44v32h-44zM38 27h44M38 37h44M49 16v32M60 16v32M71 16v32M43.5 21.5h.01M54.5 32h.01M65.5 21.5h.01M76.5 32h.01M43.5 42.5h.01M65.5 42.5h.01',
  },
  {
    id: 'book',
    name: '“Half a Yellow Sun”',
    about: 'Paperback, read once and with care.',
    price: '1500.00',
    colour: '#a8741a',
    drawing:
      'M60 20c-5-4-12-5-20-5v30c8 0 15 1 20 5 5-4 12-5 20-5V15c-8 0-15 1-20 5zM60 20v30M46 24h8M46 31h8M66 24h8M66 31h8',
  },
];

export function productOf(id: string | null): Product | undefined {
  return catalogue.find((product) => product.id === id);
}
