import { stripTypeScriptTypes } from 'node:module';

/** Makes a module of a file whose package is CommonJS, as Medusa wants the example's to be. */
export default { process: (source) => ({ code: stripTypeScriptTypes(source) }) };
