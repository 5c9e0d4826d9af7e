import { fileURLToPath } from 'node:url';

/**
 * For `NODE_COMPILE_CACHE`. Processes are started again and again, and later ones reuse the code that an earlier one
 * compiled.
 */
export const compileCache = fileURLToPath(
  new URL('../../node_modules/.cache/tillfront-compiled', import.meta.url),
);
