/**
 * What the exit code of a command says:
 * `done`: it was done, and nothing is wrong. `found`: it was done, and found something wrong, or some of it failed.
 * `usage`: the command line is wrong; nothing was done. `unconfirmed`: all is well but for assumptions that nobody has confirmed.
 * `impossible`: it could not be done: the configuration, the service, the store or a file does not allow it.
 */
export const EXIT = { done: 0, found: 1, usage: 2, unconfirmed: 3, impossible: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
