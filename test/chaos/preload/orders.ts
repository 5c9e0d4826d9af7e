/** What a process is told to do to itself at a boundary, and how it tells which boundaries it has passed. */

/**
 * Ends the process (SIGKILL), stops it (SIGSTOP) or sets its wall clock when it passes the `nth` boundary that `at` names.
 */
export interface Order {
  action: 'kill' | 'stop' | 'step';
  /** By how much the clock is set. */
  milliseconds?: number;
  /** A boundary's name, in which each `*` stands for anything. */
  at: string;
  /** Counted from 1, from the moment of the order. */
  nth: number;
}

/** What the harness sends to a service process. */
export type Command =
  | { do: 'arm'; orders: Order[] }
  /** Moves the process's wall clock, as an administrator or a bad time server does. */
  | { do: 'step-clock'; milliseconds: number };

/** Whether an order is about this boundary. */
export function isAbout(order: Order, boundary: string): boolean {
  const parts = order.at.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(boundary);
}
