import { describe, expect, test } from '@jest/globals';
import { Writable } from 'node:stream';
import { Secret } from '../secrets/secret.js';
import { createLogger, flushLog } from './logger.js';
import { NestLogger } from './nest-logger.js';

function captured(logLevel = 'trace', correlate?: () => object) {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return {
    logger: createLogger({ logLevel }, stream, { ...(correlate && { correlate }) }),
    lines,
    last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>,
  };
}

/** An error as an HTTP client throws it: with the request, the key and the answer on it. */
function clientError(): Error {
  const cause = Object.assign(new Error('socket hang up'), { request: { path: '/payment/card' } });
  return Object.assign(new Error('timeout of 5060 9905 8000 0217 499', { cause }), {
    code: 'ECONNABORTED',
    config: { data: '{"cvv":"98x7","nameOnCard":"Ngozi Obi"}', headers: { 'x-api-key': 'gateway-key' } },
    response: { headers: { 'set-cookie': ['session=abc'] } },
  });
}

describe('the log', () => {
  test('a line says when, how bad, what and for which request, in words', () => {
    const { logger, lines, last } = captured();
    logger.child({ requestId: 'req-1' }).info({ event: 'payment.moved', paymentId: 'pay_1' }, 'moved');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
    const { time, ...fields } = last();
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(fields).toEqual({
      level: 'info',
      requestId: 'req-1',
      event: 'payment.moved',
      paymentId: 'pay_1',
      msg: 'moved',
    });
  });

  test('only what is severe enough is written, and silent writes nothing', () => {
    const warn = captured('warn');
    warn.logger.info('a');
    warn.logger.warn('b');
    expect(warn.lines).toHaveLength(1);
    const silent = captured('silent');
    silent.logger.fatal('c');
    expect(silent.lines).toHaveLength(0);
  });

  test.each(['err', 'error', 'problem'])('an error under %s shows neither request nor cause', (name) => {
    const { logger, lines, last } = captured();
    logger.error({ event: 'gateway.failed', [name]: clientError() }, 'failed');
    expect(lines[0]).not.toMatch(/0217|98x7|Ngozi|gateway-key|session=|payment\/card|hang up/);
    expect(last()[name]).toMatchObject({
      type: 'Error',
      code: 'ECONNABORTED',
      message: 'timeout of [redacted]',
    });
  });

  test('an error as the only argument too', () => {
    const { logger, lines } = captured();
    logger.error(clientError());
    expect(lines[0]).not.toMatch(/0217|98x7|Ngozi|gateway-key|session=|payment\/card|hang up/);
  });

  test('what a careless line holds is taken out, wherever it stands', () => {
    const { logger, lines, last } = captured();
    logger.info(
      {
        event: 'x',
        n: 5060990580000217499n.toString(),
        body: { card: { number: '5060990580000217499', cvv: '98x7' } },
      },
      'token %s',
      'cst_abc.def',
    );
    logger.child({ authorization: 'Bearer abcdef' }).info({ key: new Secret('hidden-key') });
    expect(lines.join('')).not.toMatch(/5060|98x7|abc|hidden-key/);
    expect(last()).toMatchObject({ authorization: '[redacted]', key: '[secret]' });
  });

  test('each line carries what correlates it', () => {
    const { logger, last } = captured('info', () => ({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736' }));
    logger.info('x');
    expect(last()).toMatchObject({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736' });
  });

  test('flushing is harmless where there is nothing to flush', async () => {
    await expect(flushLog(captured().logger)).resolves.toBeUndefined();
  });
});

describe('the framework', () => {
  test.each([
    // Its account of its own start is of use only to its developers.
    ['log', 'debug'],
    ['fatal', 'fatal'],
    ['error', 'error'],
    ['warn', 'warn'],
    ['debug', 'debug'],
    ['verbose', 'trace'],
  ] as const)('%s is written as %s with its context', (method, level) => {
    const { logger, last } = captured();
    new NestLogger(logger)[method]('Mapped {/health, GET} route', 'RouterExplorer');
    expect(last()).toMatchObject({
      level,
      event: 'framework',
      context: 'RouterExplorer',
      msg: 'Mapped {/health, GET} route',
    });
  });

  test('an error keeps its type and loses what hangs on it', () => {
    const { logger, lines, last } = captured();
    new NestLogger(logger).error(clientError(), 'ExceptionsHandler');
    expect(last()).toMatchObject({
      context: 'ExceptionsHandler',
      err: { type: 'Error', code: 'ECONNABORTED' },
    });
    new NestLogger(logger).error('failed', 'Error: failed\n    at x', 'Injector');
    expect(last()).toMatchObject({ msg: 'failed', stack: 'Error: failed\n    at x', context: 'Injector' });
    expect(lines.join('')).not.toMatch(/0217|98x7|Ngozi|gateway-key/);
  });
});
