import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { rootCertificates, type TLSSocket } from 'node:tls';

const TIMEOUT_MS = 8_000;

/** What a server reveals before it gets a real request. */
export interface Peer {
  /** How far its clock is ahead of ours, in seconds, to about a second. Undefined where it does not send the time. */
  clockAheadSeconds?: number;
  /** When its certificate expires. */
  certificateEnds?: Date;
}

export interface PeerOptions {
  caFile?: string | undefined;
  clientCertFile?: string | undefined;
  clientKeyFile?: string | undefined;
}

/** Sends HEAD / without any credential. Rejects where no connection can be made. */
export function meet(
  origin: string,
  { caFile, clientCertFile, clientKeyFile }: PeerOptions = {},
): Promise<Peer> {
  const secure = origin.startsWith('https:');
  const files = {
    ...(caFile !== undefined && { ca: [...rootCertificates, readFileSync(caFile, 'utf8')] }),
    ...(clientCertFile !== undefined && { cert: readFileSync(clientCertFile) }),
    ...(clientKeyFile !== undefined && { key: readFileSync(clientKeyFile) }),
  };
  return new Promise((resolve, reject) => {
    const begun = Date.now();
    const request = (secure ? requestHttps : requestHttp)(origin, {
      method: 'HEAD',
      agent: false,
      timeout: TIMEOUT_MS,
      ...(secure && files),
    });
    request.once('response', (response) => {
      const now = (begun + Date.now()) / 2;
      const told = Date.parse(response.headers.date ?? '');
      const certificate = secure ? (response.socket as TLSSocket).getPeerCertificate() : undefined;
      response.resume();
      resolve({
        // A Date header has no fractions of a second, so half a second is added as the best guess.
        ...(!Number.isNaN(told) && { clockAheadSeconds: (told + 500 - now) / 1000 }),
        ...(certificate?.valid_to !== undefined && { certificateEnds: new Date(certificate.valid_to) }),
      });
    });
    request.once('timeout', () => request.destroy(tooLate()));
    request.once('error', reject);
    request.end();
  });
}

function tooLate(): Error {
  return Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });
}

/** The error code of a failed connection. */
export function failureCode(error: unknown): string {
  const { code, errors } = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] };
  return code ?? errors?.[0]?.code ?? 'unknown reason';
}
