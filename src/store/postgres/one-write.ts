import type { Client, ClientBase } from 'pg';

/**
 * Lets all statements that `send` sends at once leave in one write to the socket, whether it is encrypted or not. Each would be a
 * system call of its own, and each would wake the server.
 */
export function inOneWrite<T>(client: ClientBase, send: () => T): T {
  const { stream } = (client as Client).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}
