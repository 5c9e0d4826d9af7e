import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { VARIABLE_NAMES } from './config/env.js';
import { misnamedVariables } from './misnamed-variables.js';

test.each([
  ['GATEWAY_BASEURL', 'GATEWAY_BASE_URL'],
  ['MERCHANT_APIKEY', 'MERCHANT_API_KEY'],
  ['ALLOWED_ORIGIN', 'ALLOWED_ORIGINS'],
  ['gateway_base_url', 'GATEWAY_BASE_URL'],
  ['MERCHANT_API_KEY_FIEL', 'MERCHANT_API_KEY_FILE'],
  // Only secrets are read from files.
  ['GATEWAY_BASE_URL_FILE', 'GATEWAY_BASE_URL'],
])('%s is almost %s', (given, meant) => {
  expect(misnamedVariables({ [given]: 'a value' })).toEqual([{ given, meant }]);
});

test.each([
  // What Kubernetes sets for a Service called "gateway".
  ...['GATEWAY_PORT', 'GATEWAY_SERVICE_HOST', 'GATEWAY_SERVICE_PORT', 'GATEWAY_PORT_8080_TCP'],
  // What others read.
  ...['NODE_OPTIONS', 'NODE_EN', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'OTEL_SERVICE_NAME'],
  ...['PATH', 'HOSTS', 'GATEWY_BASE_URL', 'TILLFRONT_URL', 'SECRET_KEY_FILE', 'PAYMENT_PROVIDER'],
])('%s is left alone', (given) => {
  expect(misnamedVariables({ [given]: 'a value' })).toEqual([]);
});

test('no variable of the service is taken for another', () => {
  expect(misnamedVariables(Object.fromEntries(VARIABLE_NAMES.map((name) => [name, ''])))).toEqual([]);
});

test('one slip of the finger behind the prefix is found', () => {
  const names = VARIABLE_NAMES.filter((name) => /^(?:GATEWAY|MERCHANT|ALLOWED|NOTIFICATION)_/.test(name));
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(), fc.constantFrom('', 'Q', '_'), (name, at, slip) => {
      const start = name.indexOf('_') + 1;
      const place = start + (at % (name.length - start));
      const given = name.slice(0, place) + slip + name.slice(place + 1);
      fc.pre(!VARIABLE_NAMES.includes(given));
      expect(misnamedVariables({ [given]: '' })).toEqual([{ given, meant: expect.any(String) }]);
    }),
  );
});
