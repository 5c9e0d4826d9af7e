import { expect, it } from '@jest/globals';
import { stores } from '../../harness/test-store.js';
import { simulate } from '../simulate.js';

it.each(stores)(
  'the built service keeps its promises on the %s store, whatever ends its processes',
  async (store) => {
    const ended = await simulate(['--real', '--store', store, '--seed', '1', '--payments', '8']);
    expect(ended).toMatchObject({ code: 0 });
  },
  1_800_000,
);
