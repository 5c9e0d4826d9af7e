import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { Tillfront } from '../harness/tillfront.js';
import type { SettlementBody } from './settlement-scene.js';

/** An upload that is sent a piece at a time, or not to its end. */
export interface OpenUpload {
  write(piece: string): void;
  /** Ends the file. */
  end(): void;
  /** Ends the connection in the middle of the file. */
  cut(): void;
  /** Undefined where the connection ended without an answer. */
  readonly answered: Promise<{ status: number; body: SettlementBody } | undefined>;
}

/** Begins to send a file. */
export function openUpload({ port, merchantKey }: Tillfront, path = '/v1/settlements'): OpenUpload {
  const headers = {
    authorization: `Bearer ${merchantKey}`,
    'content-type': 'text/csv',
    'idempotency-key': randomUUID(),
  };
  const call = request({ port, host: '127.0.0.1', path, method: 'POST', headers });
  const answered = new Promise<Awaited<OpenUpload['answered']>>((resolve) => {
    // More than one may come: the reset of a connection after what could not be written.
    call.on('error', () => resolve(undefined));
    call.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', () => resolve(undefined));
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as SettlementBody }),
      );
    });
  });
  return {
    write: (piece) => void call.write(piece),
    end: () => void call.end(),
    cut: () => void call.destroy(),
    answered,
  };
}
