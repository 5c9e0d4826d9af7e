/** What the servers and the scenarios are called, in the figures and on the page. */

export const SERVERS = {
  raw: 'raw node:http',
  durableLimit: 'durable limit',
  express: 'Express + axios',
  expressPg: 'Express + axios + pg',
  nest: 'Nest on Express',
  nestTypeorm: 'Nest + TypeORM',
  embedded: 'Tillfront, embedded',
  postgres: 'Tillfront, PostgreSQL',
} as const;

export const SCENARIOS = {
  concurrency32: 'concurrency 32',
  concurrency256: 'concurrency 256',
  quiet100: '100 a second, gateway 50 ms',
  quiet300: '300 a second, gateway 50 ms',
  taken150: '150 a second, gateway 50 ms, one core taken',
  taken300: '300 a second, gateway 50 ms, one core taken',
} as const;
