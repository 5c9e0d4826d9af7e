import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/** Each production dependency, and what would have to be written by hand without it. */
const REASONS: Readonly<Record<string, string>> = {
  '@fastify/cors': 'answers browsers of other origins, preflight included',
  '@fastify/static': 'serves the built pages: compressed forms, ranges, entity tags',
  '@nestjs/common': 'fixed: the framework',
  '@nestjs/config': 'fixed: reads the environment',
  '@nestjs/core': 'fixed: the framework',
  '@nestjs/platform-fastify': 'the framework’s fastest server',
  '@nestjs/swagger': 'makes the API’s description of the DTOs',
  '@opentelemetry/api': 'the context of a trace; loads nothing more unless traces are switched on',
  '@opentelemetry/exporter-trace-otlp-http': 'sends traces; loaded where they are switched on',
  '@opentelemetry/resources': 'names the service in traces; loaded where they are switched on',
  '@opentelemetry/sdk-trace-node': 'collects traces; loaded where they are switched on',
  axios: 'fixed: calls the gateway',
  'class-transformer': 'fixed: DTOs',
  'class-validator': 'fixed: DTOs',
  'close-with-grace': 'ends on signals and errors that nothing caught, in order and in time',
  commander: 'the command line’s arguments and help; loaded by it alone',
  'credit-card-type': 'the ranges of card brands, which change',
  'csv-parse': 'reads reports: quotes, streams, odd line ends',
  'csv-stringify': 'writes reports: quotes, and cells that a spreadsheet would run',
  'currency-codes': 'ISO 4217: digits and numbers of currencies',
  fastify: 'types and errors of the server that Nest runs',
  'i18n-iso-countries': 'ISO 3166: the three kinds of country codes',
  'ipaddr.js': 'ranges of addresses, IPv4 within IPv6',
  jose: 'decrypts cards that a browser encrypted',
  'jsonc-parser': 'finds the bytes of a member that a notification signs',
  luxon: 'days and times in a time zone',
  pg: 'PostgreSQL’s protocol and pool',
  'pg-connection-string': 'reads DATABASE_URL as `pg` does, to check it at the start',
  pino: 'writes the log off the main thread’s way',
  'prom-client': 'metrics in Prometheus’ form, and those of Node.js',
  'reflect-metadata': 'decorators of Nest and of the DTOs need it',
  rxjs: 'interceptors of Nest need it',
  'secure-json-parse': 'refuses bodies that would change a prototype',
  'swagger-ui-dist': 'the page of the API’s description; only its files are sent',
  undici: 'connections to the gateway under axios, which cost a quarter of axios’ own',
  zod: 'checks gateway profiles, and says where they are wrong',
};

test('each production dependency has its reason, and each reason its dependency', () => {
  const file = join(import.meta.dirname, '../../package.json');
  const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: object };
  expect(Object.keys(REASONS).sort()).toEqual(Object.keys(dependencies).sort());
});
