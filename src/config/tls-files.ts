import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';

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
