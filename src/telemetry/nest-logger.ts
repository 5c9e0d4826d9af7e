import type { LoggerService } from '@nestjs/common';
import { isError } from './error-fields.js';
import type { Logger } from './logger.js';

/** Lets the framework write into our log. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  // What the framework logs about its own start helps only its developers.
  readonly log = this.#at('debug');
  readonly fatal = this.#at('fatal');
  readonly error = this.#at('error');
  readonly warn = this.#at('warn');
  readonly debug = this.#at('debug');
  readonly verbose = this.#at('trace');

  /** The framework passes its context last. Before it comes an error, or a stack as a text, which is left out. */
  #at(level: keyof Logger): (message: unknown, ...rest: unknown[]) => void {
    return (message, ...rest) => {
      const error = [message, ...rest].find(isError);
      const context = rest.findLast((entry) => typeof entry === 'string' && !entry.includes('\n'));
      this.logger[level]({
        event: 'framework',
        ...(typeof context === 'string' && { context }),
        ...(typeof message === 'string' && { message }),
        ...(error && { error }),
      });
    };
  }
}
