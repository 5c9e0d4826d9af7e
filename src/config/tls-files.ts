import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from './config.js';

/** A file for connections to the gateway that cannot be used, and why. No content is shown. */
export interface TlsFileProblem {
  readonly variable: 'GATEWAY_CA_FILE' | 'GATEWAY_CLIENT_CERT_FILE' | 'GATEWAY_CLIENT_KEY_FILE';
  readonly message: string;
}

/** What is wrong with the content of these files. Reads them anew each time. */
export function tlsFileProblems({
  caFile,
  clientCertFile,
  clientKeyFile,
}: Config['gateway']['tls']): TlsFileProblem[] {
  const problems: TlsFileProblem[] = [];
  const report = (variable: TlsFileProblem['variable'], message: string): void =>
    void problems.push({ variable, message });
  if (caFile !== undefined && !readCertificate(caFile)) {
    report('GATEWAY_CA_FILE', 'names a file that is no readable PEM certificate');
  }
  const certificate = clientCertFile === undefined ? undefined : readCertificate(clientCertFile);
  if (clientCertFile !== undefined && !certificate) {
    report('GATEWAY_CLIENT_CERT_FILE', 'names a file that is no readable PEM certificate');
  }
  const key =
    clientKeyFile === undefined ? undefined : attempt(() => createPrivateKey(readFileSync(clientKeyFile)));
  if (clientKeyFile !== undefined && !key) {
    report('GATEWAY_CLIENT_KEY_FILE', 'names a file that is no readable, unencrypted PEM private key');
  }
  if (certificate && key && !certificate.checkPrivateKey(key)) {
    report('GATEWAY_CLIENT_KEY_FILE', 'is not the key of the certificate in GATEWAY_CLIENT_CERT_FILE');
  }
  return problems;
}

function readCertificate(path: string): X509Certificate | undefined {
  return attempt(() => new X509Certificate(readFileSync(path)));
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
