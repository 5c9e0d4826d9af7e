import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** How many ports are tried behind one that is in use. */
const TRIES = 50;

/** Whether something listens on this port of this machine, by either of localhost's addresses. */
export async function isTaken(port: number): Promise<boolean> {
  const answers = await Promise.all([answersAt(port, '127.0.0.1'), answersAt(port, '::1')]);
  return answers.includes(true);
}

/** The port itself, or else the next one behind it that a program can use and `others` does not hold. */
export async function freePortFrom(wanted: number, others: readonly number[]): Promise<number | undefined> {
  for (let port = wanted; port < wanted + TRIES && port < 65_536; port++) {
    if (!others.includes(port) && !(await isTaken(port)) && (await canListen(port))) return port;
  }
  return undefined;
}

function answersAt(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => {
      resolve(false);
    });
  });
}

/** False for a port that only a privileged user may open, too. */
async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  const opened = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (opened) await once(server.close(), 'close');
  return opened;
}
