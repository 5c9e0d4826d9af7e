import { type Socket, BlockList, isIPv6 } from 'node:net';
import { readFileSync } from 'node:fs';
import { isUploading } from '../body/upload.js';
import { addressGroup, clientAddress } from '../request/client-address.js';
import type { ConnectionTurns } from './connection-turns.js';

/** Why a connection was cut. */
export type CutReason = 'unread' | 'idle' | 'slow' | 'refused';

export interface ConnectionBounds {
  /** The most connections at once. 0: no limit. */
  readonly all: number;
  /** The most of one address, an IPv6 address counted by its /64. 0: no limit. */
  readonly perAddress: number;
  /** Whose connections are not counted by address: those of trusted proxies, or everybody's (`true`). */
  readonly exempt: boolean | ((address: string) => boolean);
}

/** Connections beyond the bounds, on which only health is answered. */
const RESERVE = 64;

/** From when on a request that still arrives, or an answer of which nothing is taken, counts as slow. */
const SLOW_MS = 2_000;

/** How often all connections are looked at for readers that take nothing. */
const LOOK_EVERY_MS = 2_000;

/** How often those that can be cut are searched for among all connections. */
const SEARCH_EVERY_MS = 100;

interface Connection {
  readonly socket: Socket;
  readonly turns: ConnectionTurns;
  /** What it is counted by. Undefined where it is not counted by address. */
  readonly group: string | undefined;
  /** Whether only health is answered on it. */
  readonly reserve: boolean;
  /** Since when nothing of what is written was taken. */
  stuckSince: number | undefined;
  /** What was taken when that was last looked at. */
  taken: string;
}

/**
 * The connections of a process. They are bounded in all and by address, and a reader that takes nothing of its answer is cut. Where a bound is
 * reached, idle connections are cut for new ones, then slow ones. If there are none, the new one gets a place of a small
 * reserve, on which only health checks are answered.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #groups = new Map<string, Set<Connection>>();
  readonly #reserve = new Set<Connection>();
  readonly #listeners: ((reason: CutReason) => void)[] = [];
  #candidates: Connection[] = [];
  #searchedAt = -Infinity;
  /** How many the last search has found. */
  #found = 0;
  #counted = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly bounds: ConnectionBounds,
    /** Milliseconds after which a reader that takes nothing of its answer is cut. */
    private readonly patienceMs: number,
  ) {}

  /** The most connections at once. 0: no limit. */
  get most(): number {
    return this.bounds.all;
  }

  /** Calls `listener` for each connection that is cut or refused. */
  onCut(listener: (reason: CutReason) => void): void {
    this.#listeners.push(listener);
  }

  /** Takes a connection up until it is closed, or cuts it. */
  add(socket: Socket, turns: ConnectionTurns): void {
    const group = this.#groupOf(socket);
    const reserve = !this.#hasRoom(group);
    const connection = { socket, turns, group, reserve, stuckSince: undefined, taken: '' };
    if (reserve) {
      this.#say('refused');
      if (!this.#hasReserve()) {
        socket.destroy();
        return;
      }
    }
    this.#open.set(socket, connection);
    if (reserve) this.#reserve.add(connection);
    else this.#count(connection);
    socket.once('close', () => {
      this.#remove(connection);
    });
    this.#timer ??= setInterval(
      () => {
        this.#look();
      },
      Math.min(LOOK_EVERY_MS, this.patienceMs / 4),
    ).unref();
  }

  /** The turns of an open connection. */
  turnsOf(socket: Socket): ConnectionTurns | undefined {
    return this.#open.get(socket)?.turns;
  }

  /** Whether only health is answered on a connection, because there are too many. */
  isReserve(socket: Socket): boolean {
    return this.#reserve.size > 0 && this.#open.get(socket)?.reserve === true;
  }

  #groupOf(socket: Socket): string | undefined {
    const { perAddress, exempt } = this.bounds;
    if (perAddress === 0 || exempt === true) return undefined;
    const address = clientAddress({ ip: socket.remoteAddress ?? '', socket });
    if (exempt !== false && exempt(address)) return undefined;
    return addressGroup(address);
  }

  #hasRoom(group: string | undefined): boolean {
    const { all, perAddress } = this.bounds;
    const own = group === undefined ? undefined : this.#groups.get(group);
    const now = performance.now();
    if (own !== undefined && own.size >= perAddress) {
      const least = missedLeast(own, now);
      if (least === undefined) return false;
      this.#cut(least.connection, least.reason);
      return true;
    }
    return all === 0 || this.#counted < all || this.#makeRoom(now);
  }

  /** Cuts one of all connections, if any is idle or slow. Searching thousands takes time, so it is not done for each newcomer. */
  #makeRoom(now: number): boolean {
    if (this.#candidates.length === 0) {
      // A search that found many has paid for itself.
      const mayWait = this.#found < this.#counted / 2;
      if (mayWait && now - this.#searchedAt < SEARCH_EVERY_MS) return false;
      this.#searchedAt = now;
      const found = [...this.#open.values()].flatMap((connection) => {
        const reason = connection.reserve ? undefined : reasonToCut(connection, now);
        return reason === undefined ? [] : [{ connection, reason }];
      });
      // The last one goes first.
      this.#candidates = found
        .sort(lessWorthFirst)
        .reverse()
        .map(({ connection }) => connection);
      this.#found = found.length;
    }
    for (let next = this.#candidates.pop(); next !== undefined; next = this.#candidates.pop()) {
      const reason = this.#open.has(next.socket) ? reasonToCut(next, now) : undefined;
      if (reason === undefined) continue;
      this.#cut(next, reason);
      return true;
    }
    return false;
  }

  #hasReserve(): boolean {
    if (this.#reserve.size < RESERVE) return true;
    for (const connection of this.#reserve) {
      if (connection.turns.working) continue;
      this.#remove(connection);
      connection.socket.destroy();
      return true;
    }
    return false;
  }

  #count(connection: Connection): void {
    this.#counted++;
    const { group } = connection;
    if (group === undefined) return;
    const own = this.#groups.get(group);
    if (own) own.add(connection);
    else this.#groups.set(group, new Set([connection]));
  }

  #cut(connection: Connection, reason: CutReason): void {
    this.#remove(connection);
    connection.socket.destroy();
    this.#say(reason);
  }

  #remove(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return;
    if (this.#open.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#candidates = [];
    }
    if (connection.reserve) {
      this.#reserve.delete(connection);
      return;
    }
    this.#counted--;
    const own = connection.group === undefined ? undefined : this.#groups.get(connection.group);
    own?.delete(connection);
    if (own?.size === 0 && connection.group !== undefined) this.#groups.delete(connection.group);
  }

  #say(reason: CutReason): void {
    for (const listener of this.#listeners) listener(reason);
  }

  #look(): void {
    const now = performance.now();
    for (const connection of this.#open.values()) {
      const { socket } = connection;
      if (socket.writableLength === 0) {
        connection.stuckSince = undefined;
        continue;
      }
      const taken = takenOf(socket);
      if (connection.stuckSince === undefined || taken !== connection.taken) {
        connection.stuckSince = now;
        connection.taken = taken;
      } else if (now - connection.stuckSince >= this.patienceMs) this.#cut(connection, 'unread');
    }
  }
}

/** How much of what was written to a connection has been taken, for comparing. */
function takenOf(socket: Socket): string {
  // How much of the write that is on its way is left. Node itself tells slow readers from dead ones by this.
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize ?? 0}`;
}

/** Why a connection may be cut for a newcomer. A request in work whose client does its part is none. */
function reasonToCut({ socket, turns, stuckSince }: Connection, now: number): 'idle' | 'slow' | undefined {
  if (!turns.working && socket.writableLength === 0) return 'idle';
  if (stuckSince !== undefined && now - stuckSince >= SLOW_MS) return 'slow';
  return turns.receiving && now - turns.since >= SLOW_MS && !isUploading(socket) ? 'slow' : undefined;
}

interface Candidate {
  readonly connection: Connection;
  readonly reason: 'idle' | 'slow';
}

function lessWorthFirst(one: Candidate, other: Candidate): number {
  if (one.reason !== other.reason) return one.reason === 'idle' ? -1 : 1;
  return one.connection.turns.since - other.connection.turns.since;
}

/** The connection that is missed least. Undefined where none may be cut. */
function missedLeast(connections: Iterable<Connection>, now: number): Candidate | undefined {
  let least: Candidate | undefined;
  for (const connection of connections) {
    const reason = reasonToCut(connection, now);
    if (reason === undefined) continue;
    const candidate = { connection, reason };
    if (least === undefined || lessWorthFirst(candidate, least) < 0) least = candidate;
  }
  return least;
}

/**
 * Whose connections are not counted by address: the peer is then a proxy that brings many clients. With a number of hops nobody knows
 * which peers are proxies, so nobody's are.
 */
export function exemptPeers(trustProxy: false | number | readonly string[]): ConnectionBounds['exempt'] {
  if (trustProxy === false) return false;
  if (typeof trustProxy === 'number') return true;
  const proxies = new BlockList();
  for (const range of trustProxy) {
    const [address = '', prefix] = range.split('/', 2);
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(prefix), family);
  }
  return (address) => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Files and connections of the service's own: store, gateway, webhook, log, health and its reserve. */
const KEPT = 512;

/** However few there are, somebody must be served. */
const LEAST = 64;

/** The most files and connections that this process may have open at once. Undefined where the system does not say. */
export function openFilesLimit(): number | undefined {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    // Only Linux has this file.
    return undefined;
  }
  return limitIn(limits);
}

/** The soft limit, which is the one that holds. Undefined for `unlimited`. */
export function limitIn(limits: string): number | undefined {
  const [, soft] = /^Max open files +(\d+) /m.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}

/** How many connections of callers fit, if so many are wanted (0: no limit). Without a file handle nothing works: no commit, and no call. */
export function fittingConnections(wanted: number, openFiles: number | undefined): number {
  if (wanted === 0 || openFiles === undefined) return wanted;
  return Math.min(wanted, Math.max(LEAST, openFiles - KEPT));
}
