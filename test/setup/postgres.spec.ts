import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from './postgres.js';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

test('the tests run on a real PostgreSQL that keeps what it committed', async () => {
  const { rows } = await client.query<{ fsync: string; version: string }>(
    "SELECT current_setting('fsync') AS fsync, version() AS version",
  );
  expect(rows[0]?.fsync).toBe('on');
  expect(rows[0]?.version).toMatch(/^PostgreSQL 1[5-9]/);
});

test('each test file has a database of its own', async () => {
  const other = await createTestDatabase();
  try {
    await client.query('CREATE TABLE mine (id text PRIMARY KEY)');
    const stranger = new Client({ connectionString: other.url });
    await stranger.connect();
    await expect(stranger.query('SELECT * FROM mine')).rejects.toThrow('does not exist');
    await stranger.end();
  } finally {
    await other.drop();
  }
});

test('text sorts by language, unlike in SQLite, so that a lucky order shows', async () => {
  const { rows } = await client.query<{ word: string }>(
    "SELECT word FROM (VALUES ('b'), ('A'), ('a'), ('B')) AS words (word) ORDER BY word",
  );
  expect(rows.map((row) => row.word)).toEqual(['a', 'A', 'b', 'B']);
});
