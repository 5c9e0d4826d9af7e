import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * What the scan must catch: loaded before the service, it leaks each body with a card as careless code would. One way of leaking
 * for each kind of place, as LEAK says.
 */
const ways = {
  log: (body) =>
    process.stdout.write(`${JSON.stringify({ level: 'debug', msg: 'request', body: JSON.parse(body) })}\n`),
  file: (body) => writeFileSync(join(tmpdir(), 'upload.tmp'), Buffer.from(`x${body}`).toString('base64')),
  title: (body) => {
    process.title = `till ${JSON.parse(body).card.number}`;
  },
};

const parse = JSON.parse.bind(JSON);
let leaking = false;
JSON.parse = (text, ...rest) => {
  if (!leaking && typeof text === 'string' && text.includes('"number"')) {
    leaking = true;
    try {
      ways[process.env.LEAK](text);
    } finally {
      leaking = false;
    }
  }
  return parse(text, ...rest);
};
