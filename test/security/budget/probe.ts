import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/**
 * Somebody else: asks small questions over connections of its own, one after the other, while others attack, and looks at the
 * process from outside. It is a process of its own, so that the attack's own work delays nothing here.
 */

export interface Asked {
  readonly pid: number;
  /** Each is asked all the time, over its own kept connection. */
  readonly questions: readonly { readonly port: number; readonly request: string }[];
}

/** The most that was seen since the last time that it was taken. */
export interface Seen {
  /** Resident memory, in bytes. */
  memory: number;
  handles: number;
  /** Milliseconds that the longest answer took, without the time in which a process waited for a core. An answer that is still missing counts. */
  longest: number;
  answers: number;
  /** Answers that were none: other than 200, or a connection that ended before its answer. */
  lost: string[];
}

const EVERY_MS = 5;
const LOOK_MS = 20;
/** Beyond it the answer is lost, and asked for anew. */
const PATIENCE_MS = 60_000;
const LOST_KEPT = 5;

const asked = JSON.parse(process.argv[2] ?? '') as Asked;

interface Moment {
  readonly at: number;
  /** Milliseconds that the service and this process have waited for a core so far. A busy machine costs them, not the service. */
  readonly waited: number;
}

function waitedForCores(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

const now = (): Moment => ({
  at: performance.now(),
  waited: waitedForCores(asked.pid) + waitedForCores(process.pid),
});

const since = (began: Moment): number => {
  const end = now();
  return Math.max(0, end.at - began.at - (end.waited - began.waited));
};

const nothing = (): Seen => ({ memory: 0, handles: 0, longest: 0, answers: 0, lost: [] });
let seen = nothing();
const missing = new Set<Moment>();

const PAGE = 4096;

function look(): void {
  try {
    const pages = Number(readFileSync(`/proc/${asked.pid}/statm`, 'utf8').split(' ')[1]);
    seen.memory = Math.max(seen.memory, pages * PAGE);
    seen.handles = Math.max(seen.handles, readdirSync(`/proc/${asked.pid}/fd`).length);
  } catch {
    // It has ended: whoever started it knows.
  }
}

function answerOf(socket: Socket, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const settle = (error?: Error): void => {
      socket.off('data', take).off('close', closed);
      if (error) reject(error);
      else resolve(text.slice(9, 12));
    };
    const take = (data: Buffer): void => {
      text += data.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text)?.[1];
      if (end >= 0 && length !== undefined && text.length >= end + 4 + Number(length)) settle();
    };
    const closed = (): void => settle(new Error('closed'));
    socket.on('data', take).on('close', closed);
    socket.write(request);
  });
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }, () => resolve(socket));
    socket.setNoDelay(true).setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.once('error', reject);
    socket.on('error', () => undefined);
  });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function keepAsking(port: number, request: string): Promise<never> {
  let socket: Socket | undefined;
  for (;;) {
    const began = now();
    missing.add(began);
    for (let answered = false; !answered;) {
      try {
        // One that was closed between two questions is no answer lost.
        if (socket === undefined || socket.destroyed || !socket.writable) socket = await open(port);
        const status = await answerOf(socket, request);
        if (status !== '200') lose(status);
        answered = true;
      } catch (error) {
        lose(error instanceof Error ? error.message : 'error');
        socket?.destroy();
        await pause(EVERY_MS);
      }
    }
    missing.delete(began);
    seen.longest = Math.max(seen.longest, since(began));
    seen.answers++;
    await pause(EVERY_MS);
  }
}

function lose(why: string): void {
  if (seen.lost.length < LOST_KEPT) seen.lost.push(why);
}

process.on('message', (wish) => {
  look();
  const longest = Math.max(seen.longest, ...[...missing].map(since));
  process.send?.({ ...seen, longest });
  if (wish === 'take') seen = nothing();
});
process.on('disconnect', () => process.exit());
setInterval(look, LOOK_MS);
for (const { port, request } of asked.questions) void keepAsking(port, request);
process.send?.('asking');
