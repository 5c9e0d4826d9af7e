/** One thing that is wrong with one variable. The message never shows the value. */
export interface ConfigProblem {
  readonly variable: string;
  readonly message: string;
}

/** The configuration cannot be used. The error names every problem at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly ConfigProblem[]) {
    super(
      [
        'The configuration has problems:',
        ...problems.map(({ variable, message }) => `  ${variable} ${message}`),
      ].join('\n'),
    );
  }
}
