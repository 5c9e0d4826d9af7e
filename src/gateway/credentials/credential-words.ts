import { randomUUID } from 'node:crypto';
import { basicSides } from '../plan/words.js';
import type { CredentialSource } from './builtin-credentials.js';

/** The words of credentials, the same for all headers of one request. */
export class CredentialWords {
  readonly #source: CredentialSource;
  readonly #now = Date.now();
  #nonce: string | undefined;

  constructor(source: CredentialSource) {
    this.#source = source;
  }

  /** The value of a word; undefined for one that is none of credentials. */
  read(word: string): string | undefined {
    switch (word) {
      case 'apiKey':
      case 'accessToken':
        return this.#source[word].unwrap();
      case 'timestamp':
        return new Date(this.#now).toISOString();
      case 'epoch':
        return String(Math.floor(this.#now / 1000));
      case 'nonce':
        return (this.#nonce ??= randomUUID());
      default: {
        const sides = basicSides(word);
        return sides && Buffer.from(sides.map((side) => this.#side(side)).join(':')).toString('base64');
      }
    }
  }

  #side(name: string): string {
    return name === 'apiKey' || name === 'accessToken' ? this.#source[name].unwrap() : '';
  }
}
