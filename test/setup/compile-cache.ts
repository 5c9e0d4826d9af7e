import { fileURLToPath } from 'node:url';

/** For `NODE_COMPILE_CACHE`: processes are started again and again, and what one has compiled serves all that come after it. */
export const compileCache = fileURLToPath(
  new URL('../../node_modules/.cache/tillfront-compiled', import.meta.url),
);
