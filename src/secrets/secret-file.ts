import { readFileSync, statSync } from 'node:fs';
import type { SecretSource } from './secret-source.js';

/** How old a value may be before the file is checked again. It is half of the 10 s within which a change takes effect. */
const RE_READ_AFTER_MS = 5_000;

/** No secret is longer. A path to something huge, given by mistake, must not fill the memory. */
const MAX_BYTES = 65_536;

/** A secret file that cannot be used. The message reveals neither its content nor its path. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError';
}

export interface SecretFileOptions {
  /** The variable that names the file, for warnings about unusable new content. */
  readonly variable: string;
  /** Says what is wrong with a new value, or undefined. It is not applied to the first value, which the caller checks. */
  readonly check?: (value: string) => string | undefined;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Why the last good value of a secret file stays in use. It shows neither content nor path. */
export interface UnusableContent {
  readonly variable: string;
  readonly reason: string;
}

/**
 * A secret that lives in a file, as container platforms mount them. When the value is asked for and is older than 5 s, the
 * file is read again; the file is tiny and reading it takes microseconds. While the file is missing, empty or malformed,
 * the last good value stays in use. A service asks for it regularly and is told so, by {@link watchSecretFiles}.
 */
export class SecretFile implements SecretSource {
  readonly #path: string;
  readonly #options: SecretFileOptions;
  readonly #now: () => number;
  /** A pipe can be read only once. Reading it again would block for ever. */
  readonly #readOnce: boolean;
  #value: string;
  #checkedAt: number;
  /** The last content that was refused, so that it is judged once. */
  #refused: { readonly value: string; readonly reason: string } | undefined;
  #reported: string | undefined;
  #warn: ((unusable: UnusableContent) => void) | undefined;

  /** Reads the file. Throws {@link SecretFileError} where it is unreadable, empty or too large. */
  constructor(path: string, options: SecretFileOptions) {
    this.#path = path;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#readOnce = !isRegularFile(path);
    this.#value = readSecret(path);
    this.#checkedAt = this.#now();
  }

  current(): string {
    const now = this.#now();
    if (!this.#readOnce && now - this.#checkedAt >= RE_READ_AFTER_MS) {
      this.#checkedAt = now;
      this.#refresh();
    }
    return this.#value;
  }

  #refresh(): void {
    try {
      if (!isRegularFile(this.#path)) throw new SecretFileError('is no longer a regular file');
      const value = readSecret(this.#path);
      if (value !== this.#value) {
        if (this.#refused?.value !== value) {
          const reason = this.#options.check?.(value);
          this.#refused = reason === undefined ? undefined : { value, reason };
        }
        if (this.#refused) throw new SecretFileError(this.#refused.reason);
        this.#value = value;
      }
      this.#refused = undefined;
      this.#reported = undefined;
    } catch (error) {
      this.#report(error instanceof SecretFileError ? error.message : 'cannot be read');
    }
  }

  /** Calls `warn` once for each new reason why the last good value stays in use, one from before included. */
  onUnusable(warn: (unusable: UnusableContent) => void): void {
    this.#warn = warn;
    if (this.#reported !== undefined) warn({ variable: this.#options.variable, reason: this.#reported });
  }

  #report(reason: string): void {
    if (reason === this.#reported) return;
    this.#reported = reason;
    this.#warn?.({ variable: this.#options.variable, reason });
  }
}

function isRegularFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    throw new SecretFileError('names a file that cannot be read');
  }
}

function readSecret(path: string): string {
  let bytes: Buffer;
  try {
    if (statSync(path).size > MAX_BYTES)
      throw new SecretFileError(`names a file of more than ${MAX_BYTES} bytes`);
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof SecretFileError) throw error;
    throw new SecretFileError('names a file that cannot be read');
  }
  // Editors and `echo` end a file with a line break that is not part of the secret.
  const text = withoutLastBreaks(bytes.toString('utf8'));
  if (text.trim() === '') throw new SecretFileError('names an empty file');
  return text;
}

function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= text[end - 2] === '\r' ? 2 : 1;
  return text.slice(0, end);
}
