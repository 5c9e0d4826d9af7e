import type { LoggerService } from '@nestjs/common';
import { errorFields, isError } from './error-fields.js';
import type { Logger } from './logger.js';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Lets the framework write into our log: `NestFactory.create(…, { logger: new NestLogger(logger) })`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  // What the framework logs about its own start helps only its developers.
  readonly log = this.#at('debug');
  readonly fatal = this.#at('fatal');
  readonly error = this.#at('error');
  readonly warn = this.#at('warn');
  readonly debug = this.#at('debug');
  readonly verbose = this.#at('trace');

  #at(level: Level): (message: unknown, ...rest: unknown[]) => void {
    return (message, ...rest) => this.#write(level, message, rest);
  }

  /** The framework passes its context last. For an error, the stack (as a text) or the error itself comes before it. */
  #write(level: Level, message: unknown, rest: readonly unknown[]): void {
    if (!this.logger.isLevelEnabled(level)) return;
    const texts = rest.filter((entry) => typeof entry === 'string');
    const error = [message, ...rest].find((entry) => isError(entry));
    const stack = texts.find((text) => text.includes('\n'));
    const context = texts.findLast((text) => !text.includes('\n'));
    const fields = {
      event: 'framework',
      ...(context === undefined ? {} : { context }),
      ...(error === undefined ? {} : { err: error }),
      ...(error === undefined && stack !== undefined ? { stack } : {}),
    };
    this.logger[level](fields, textOf(message));
  }
}

function textOf(message: unknown): string {
  if (typeof message === 'string') return message;
  return isError(message) ? errorFields(message).message : 'a framework message without a text';
}
