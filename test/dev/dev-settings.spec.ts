import { expect, test } from '@jest/globals';
import { devSettings } from '../../demo/dev-settings.ts';

test('with nothing set, the demo’s values hold, beside a sandbox, on loopback', () => {
  const { service, defaults, sandbox, url, readyUrl, dataDir } = devSettings({}, {});
  expect(service).toMatchObject({
    PORT: '3000',
    HOST: '127.0.0.1',
    GATEWAY_BASE_URL: 'http://127.0.0.1:4010',
    GATEWAY_API_KEY: 'sandbox-key',
  });
  expect(defaults).toEqual(Object.keys(service));
  expect(sandbox?.variables).toMatchObject({
    SANDBOX_PORT: '4010',
    SANDBOX_API_KEY: 'sandbox-key',
    SANDBOX_NOTIFY_URL: 'http://127.0.0.1:3000/v1/gateway/notifications',
  });
  expect([url, readyUrl]).toEqual(['http://localhost:3000', 'http://localhost:3000/health/ready']);
  expect(dataDir).toMatch(/\/data\/dev$/);
});

test('.env wins over the demo, the environment over .env; an empty one counts as unset', () => {
  const dotEnv = { PORT: '3100', MERCHANT_API_KEY: 'of-the-file', LOG_LEVEL: 'debug', HOST: '' };
  const { service, defaults, url } = devSettings({ MERCHANT_API_KEY: 'of-the-shell', LOG_LEVEL: '' }, dotEnv);
  expect(service).toMatchObject({
    PORT: '3100',
    HOST: '127.0.0.1',
    MERCHANT_API_KEY: 'of-the-shell',
    LOG_LEVEL: 'debug',
  });
  expect(defaults).toContain('HOST');
  expect(defaults).not.toContain('MERCHANT_API_KEY');
  expect(url).toBe('http://localhost:3100');
});

test('a secret that is in a file is not given a second time', () => {
  const { service, defaults } = devSettings({ GATEWAY_API_KEY_FILE: '/run/secrets/key' }, {});
  expect(service).toHaveProperty('GATEWAY_API_KEY_FILE');
  expect(service).not.toHaveProperty('GATEWAY_API_KEY');
  expect(defaults).not.toContain('GATEWAY_API_KEY');
});

test.each([
  ['http://127.0.0.1:4010', true],
  ['http://localhost:4010', true],
  ['http://127.0.0.1:4011', false],
  ['https://gateway.example', false],
])('with the gateway at %s a sandbox is started: %s', (address, wanted) => {
  expect(devSettings({ GATEWAY_BASE_URL: address }, {}).sandbox !== undefined).toBe(wanted);
});

test('the sandbox expects the keys that the service has', () => {
  const { sandbox } = devSettings({}, { GATEWAY_API_KEY: 'one', GATEWAY_ACCESS_TOKEN: 'two' });
  expect(sandbox?.variables).toMatchObject({ SANDBOX_API_KEY: 'one', SANDBOX_ACCESS_TOKEN: 'two' });
});

test('where health has a port of its own it is asked there', () => {
  expect(devSettings({ MANAGEMENT_PORT: '9000' }, {}).readyUrl).toBe('http://localhost:9000/health/ready');
});
