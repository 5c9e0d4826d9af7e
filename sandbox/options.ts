import type { Scheme } from './encryption/encryption.ts';
import type { Settings } from './settings.ts';

/** How a sandbox is started. Everything has a default. */
export interface SandboxOptions {
  /** Default 4010; 0 takes a free one. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** The address that payers' browsers reach it at, where that is not `http://host:port`. */
  publicUrl?: string;
  /** Expected in `x-api-key`; default `sandbox-key`. */
  apiKey?: string;
  /** Expected in `access-token`; default `sandbox-token`. */
  accessToken?: string;
  /** `builtin` (the default), `second` or `third`. */
  dialect?: 'builtin' | 'second' | 'third';
  /** How the card call must be encrypted; default: the dialect's own way. */
  encryption?: Scheme;
  /** `hex:…`, `base64:…`, raw text of the exact length, or a PEM private key; default: a fresh one at every start. */
  encryptionKey?: string;
  /** Append-only ledger on disk, read again at the next start. */
  ledgerFile?: string;
  settings?: Partial<Settings>;
}
