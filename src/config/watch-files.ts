import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SecretFile, UnusableContent } from '../secrets/secret-file.js';

/** Short enough for two looks, and for a secret file's own pause of 5 s, to fit into the promised 10 s. */
const LOOK_EVERY_MS = 2_000;

/** The files of the configuration that may change while the service runs. */
export interface WatchedFiles {
  readonly secretFiles: readonly SecretFile[];
  readonly tls: TlsFiles;
}

/**
 * Looks at the files regularly, and not only when one is used, so that one that cannot be used is known within 10 s. Calls
 * `warn` once for each new reason why the last good content stays in use. Returns what ends it.
 */
export function watchFiles(
  { secretFiles, tls }: WatchedFiles,
  warn: (unusable: UnusableContent) => void,
  everyMs = LOOK_EVERY_MS,
): () => void {
  for (const file of secretFiles) file.onUnusable(warn);
  const lookAtTls = tlsLook(tls, warn);
  const timer = setInterval(() => {
    for (const file of secretFiles) file.current();
    lookAtTls();
  }, everyMs).unref();
  return () => {
    clearInterval(timer);
  };
}

/** Certificate and key are rarely replaced at the same instant, so only what two looks find is said. */
function tlsLook(tls: TlsFiles, warn: (unusable: UnusableContent) => void): () => void {
  let seen: ReadonlySet<string> = new Set();
  let said: ReadonlySet<string> = new Set();
  return () => {
    const problems = tlsFileProblems(tls);
    const found = new Set(problems.map(({ variable, message }) => `${variable} ${message}`));
    const lasting = new Set([...found].filter((one) => seen.has(one)));
    for (const { variable, message } of problems) {
      const one = `${variable} ${message}`;
      if (lasting.has(one) && !said.has(one)) warn({ variable, reason: message });
    }
    seen = found;
    said = lasting;
  };
}

/** Paths of PEM files for connections to the gateway. Certificate and key come together. */
export interface TlsFiles {
  caFile?: string;
  clientCertFile?: string;
  clientKeyFile?: string;
}

/** A file for connections to the gateway that cannot be used, and why. No content is shown. */
export interface TlsFileProblem {
  readonly variable: 'GATEWAY_CA_FILE' | 'GATEWAY_CLIENT_CERT_FILE' | 'GATEWAY_CLIENT_KEY_FILE';
  readonly message: string;
}

/** What is wrong with the content of these files. Reads them anew each time. */
export function tlsFileProblems({ caFile, clientCertFile, clientKeyFile }: TlsFiles): TlsFileProblem[] {
  const problems: TlsFileProblem[] = [];
  const report = (variable: TlsFileProblem['variable'], message: string): void =>
    void problems.push({ variable, message });
  if (caFile !== undefined && !readCertificates(caFile)) report('GATEWAY_CA_FILE', UNREADABLE);
  const certificate = clientCertFile === undefined ? undefined : readCertificates(clientCertFile)?.[0];
  if (clientCertFile !== undefined && !certificate) report('GATEWAY_CLIENT_CERT_FILE', UNREADABLE);
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

const UNREADABLE = 'names a file that is no readable PEM certificate';
const BEGIN = /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/;
const END = /-----END [A-Z0-9 ]*CERTIFICATE-----/;

/**
 * All of a file's certificates. Undefined where there is none, or one cannot be read: OpenSSL would silently leave out that one with all
 * after it, and everything where the file is DER.
 */
function readCertificates(path: string): X509Certificate[] | undefined {
  return attempt(() => {
    const [, ...blocks] = readFileSync(path, 'utf8').split(BEGIN);
    if (blocks.length === 0) throw new Error('no certificate');
    return blocks.map((block) => {
      if (!END.test(block)) throw new Error('half a certificate');
      return new X509Certificate(
        `-----BEGIN CERTIFICATE-----${block.split(END)[0] ?? ''}-----END CERTIFICATE-----`,
      );
    });
  });
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
