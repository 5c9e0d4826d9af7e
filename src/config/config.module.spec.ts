import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import { ConfigService } from '@nestjs/config';
import { Test } from '@nestjs/testing';
import { generateKeyPairSync } from 'node:crypto';
import { readConfig } from './read-config.js';
import { CONFIG, ConfigModule } from './config.module.js';

test('every module gets the configuration that was checked, and nothing past it', async () => {
  const config = readConfig({
    GATEWAY_BASE_URL: 'https://gateway.example',
    GATEWAY_API_KEY: 'key',
    GATEWAY_ACCESS_TOKEN: 'token',
    MERCHANT_API_KEY: 'mk_test_a',
    SECRET_KEY: 'k'.repeat(32),
    CARD_ENCRYPTION_KEY: generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
  }).complete();
  const module = await Test.createTestingModule({ imports: [ConfigModule.forRoot(config)] }).compile();
  expect(module.get(CONFIG)).toBe(config);
  expect(module.get(ConfigService, { strict: false }).get('PATH')).toBeUndefined();
  await module.close();
});
