const variable = 'TILLFRONT_TEST_SERVICES';

/**
 * Asks jest's own process for something that the whole run shares, and starts it if no test has needed it yet: `postgres`
 * returns the superuser's address, `build` the folder with the built service, `card-key` a file with the private key for cards,
 * `chromium` and `firefox` a program's path.
 * Throws with the reason where this machine cannot provide it.
 */
export async function service(
  name: 'postgres' | 'card-key' | 'build' | 'chromium' | 'firefox',
): Promise<string> {
  const base = process.env[variable];
  if (base === undefined) {
    throw new Error(`${variable} is not set: the tests run through "npm test", whose setup sets it.`);
  }
  const answer = (await (await fetch(`${base}/${name}`)).json()) as { value?: string; error?: string };
  if (answer.value === undefined) throw new Error(answer.error ?? `no answer about ${name}`);
  return answer.value;
}
