import type { SecretFile, UnusableContent } from '../secrets/secret-file.js';
import { tlsFileProblems, type TlsFiles } from './tls-files.js';

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
