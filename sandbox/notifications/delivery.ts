import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Exchange, sendText, toJson } from '../control/exchange.ts';
import type { Fault } from '../faults/fault.ts';
import { type JsonObject, writePointer } from '../dialects/pointer.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer ready to be sent, and what a fault needs to corrupt it. */
export interface Delivery {
  exchange: Exchange;
  status: number;
  body: JsonObject;
  /** A success and a failure, for the fault that says both in one body. */
  bothTruths: () => [JsonObject, JsonObject];
  errorPointer: string;
  /** The target of a redirect that records who follows it. */
  elsewhere: string;
}

/** Sends an answer, altered by the fault. Returns the HTTP status that was sent (0: none). */
export async function deliver(delivery: Delivery, fault: Fault | undefined): Promise<number> {
  const { exchange, body } = delivery;
  const { response } = exchange;
  const raw = (status: number, type: string, text: string): number => {
    sendText(response, status, type, text, fault?.headers);
    return status;
  };
  switch (fault?.kind) {
    case 'silent':
      return 0;
    case 'reset-before':
    case 'reset-after':
      reset(exchange.request.socket);
      return 0;
    case 'cut': {
      const bytes = Buffer.from(toJson(body));
      response.writeHead(200, { 'content-type': JSON_TYPE, 'content-length': bytes.length });
      response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () =>
        exchange.request.socket.destroy(),
      );
      return 200;
    }
    case 'trickle':
      await trickle(exchange, toJson(body), fault.intervalMs ?? 1_000);
      return 200;
    case 'status':
      return raw(
        fault.status ?? 500,
        fault.body === undefined || typeof fault.body === 'string' ? 'text/plain; charset=utf-8' : JSON_TYPE,
        textOf(fault.body, ''),
      );
    case 'html':
      return raw(
        fault.status ?? 200,
        'text/html; charset=utf-8',
        textOf(fault.body, '<!doctype html><title>Gateway</title><h1>502 Bad Gateway</h1>'),
      );
    case 'not-json':
      return raw(fault.status ?? 200, JSON_TYPE, textOf(fault.body, '{"error":false,"message":"Succ'));
    case 'wrong-json':
      return raw(fault.status ?? 200, JSON_TYPE, textOf(fault.body, '{"hello":["world"],"data":7}'));
    case 'duplicate-keys': {
      const [success, failure] = delivery.bothTruths().map((one) => toJson(one).slice(1, -1));
      return raw(200, JSON_TYPE, `{${failure ?? ''},${success ?? ''}}`);
    }
    case 'huge':
      return raw(200, JSON_TYPE, toJson({ ...body, padding: 'x'.repeat(2 * 1024 * 1024) }));
    case 'gzip-bomb':
      sendBomb(exchange);
      return 200;
    case 'redirect':
      response.writeHead(fault.status ?? 307, {
        location: fault.location ?? delivery.elsewhere,
        'content-length': 0,
      });
      response.end();
      return fault.status ?? 307;
    case 'error-not-boolean': {
      const changed = structuredClone(body);
      writePointer(changed, delivery.errorPointer, 'false');
      return raw(200, JSON_TYPE, toJson(changed));
    }
    default:
      return raw(delivery.status, JSON_TYPE, toJson(body));
  }
}

/** Ends a connection with a TCP reset. */
export function reset(socket: Socket): void {
  socket.resetAndDestroy();
}

async function trickle({ response }: Exchange, text: string, intervalMs: number): Promise<void> {
  const bytes = Buffer.from(text);
  response.writeHead(200, { 'content-type': JSON_TYPE, 'content-length': bytes.length });
  for (const [index] of bytes.entries()) {
    if (response.destroyed) return;
    response.write(bytes.subarray(index, index + 1));
    await sleep(intervalMs, undefined, { ref: false });
  }
  response.end();
}

/** 256 MiB of zeros in a few hundred kilobytes: one gzip member, repeated. */
function sendBomb({ response }: Exchange): void {
  const member = gzipSync(Buffer.alloc(16 * 1024 * 1024));
  const bytes = Buffer.concat(Array.from({ length: 16 }, () => member));
  response.writeHead(200, {
    'content-type': JSON_TYPE,
    'content-encoding': 'gzip',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

function textOf(body: unknown, otherwise: string): string {
  if (body === undefined) return otherwise;
  return typeof body === 'string' ? body : toJson(body);
}
