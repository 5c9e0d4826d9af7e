import type { inspectConfiguration } from '../inspect-configuration.js';
import { checkEmbeddedStore } from './embedded-store-check.js';
import type { Finding } from './finding.js';
import { checkPostgres } from './postgres-check.js';

/** Whether the store can be used: its owner, its place and its schema. Changes nothing. */
export function checkStore(config: ReturnType<typeof inspectConfiguration>): Promise<Finding[]> {
  return config.store.kind === 'embedded'
    ? Promise.resolve(checkEmbeddedStore(config, config.store.dataDir))
    : checkPostgres(config, config.store);
}
