import { DataDirInUse } from './data-dir-lock.js';
import { DataDirUnusable } from './data-dir-unusable.js';
import { StoreElsewhere } from './history/store-elsewhere.js';
import { MigrationBlocked, SchemaMismatch } from './migrations.js';
import { ForeignStore } from './store-identity.js';
import { StoreUnavailable } from './store-unavailable.js';

const PLAIN = [
  DataDirInUse,
  DataDirUnusable,
  SchemaMismatch,
  MigrationBlocked,
  ForeignStore,
  StoreElsewhere,
  StoreUnavailable,
];

/** Whether an error of the store tells the operator everything, so that a stack would not help. */
export function isPlainRefusal(error: unknown): error is Error {
  return PLAIN.some((kind) => error instanceof kind);
}
