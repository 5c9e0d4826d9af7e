import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ServiceClient } from './service-client.js';

const ITEMS = Array.from({ length: 250 }, (_, index) => ({ id: `id_${index}` }));

/** A list in pages: `/cursor` ends with its last page, `/after` with an empty one, as the events do. */
let service: Server;
let client: ServiceClient;
let asked: string[];
beforeAll(async () => {
  service = createServer((request, response) => {
    asked.push(request.url ?? '');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    const name = pathname.slice(1);
    const begin = ITEMS.findIndex(({ id }) => id === searchParams.get(name)) + 1;
    const data = ITEMS.slice(begin, begin + Number(searchParams.get('limit')));
    const isLast = name === 'after' ? data.length === 0 : data.at(-1) === ITEMS.at(-1);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data, nextCursor: isLast ? null : data.at(-1)?.id }));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  client = new ServiceClient({ serviceUrl: url, payersUrl: url, merchantKey: 'mk_test_1' });
});
afterAll(() => void service.close());
beforeEach(() => {
  asked = [];
});

test('a list is read to its end, with its filters in each call', async () => {
  expect(await client.all('/cursor', { status: 'succeeded', method: undefined, disputed: false })).toEqual(
    ITEMS,
  );
  expect(asked).toEqual([
    '/cursor?status=succeeded&limit=100',
    '/cursor?status=succeeded&cursor=id_99&limit=100',
    '/cursor?status=succeeded&cursor=id_199&limit=100',
  ]);
});

test('a list that goes on as long as there is more ends with an empty page', async () => {
  expect(await client.all('/after', { after: 'id_9' }, 'after')).toEqual(ITEMS.slice(10));
  expect(asked).toHaveLength(4);
});

test('no more is asked for than is wanted', async () => {
  expect(await client.all('/cursor', { limit: 120 })).toEqual(ITEMS.slice(0, 120));
  expect(await client.all('/cursor', { limit: 100 })).toEqual(ITEMS.slice(0, 100));
  expect(asked).toEqual(['/cursor?limit=100', '/cursor?cursor=id_99&limit=20', '/cursor?limit=100']);
});
