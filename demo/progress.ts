/** How often a terminal, and a file or pipe, is told that something still goes on. */
const EVERY_MS = { terminal: 1_000, other: 10_000 };

/** Says what goes on until the work ends, and then how long it took. */
export async function during<T>(what: string, work: () => Promise<T>): Promise<T> {
  const { stdout } = process;
  const began = Date.now();
  const seconds = (): string => `${Math.round((Date.now() - began) / 1000)} s`;
  stdout.write(stdout.isTTY ? `  ${what} …` : `  ${what} …\n`);
  const timer = setInterval(
    () => stdout.write(stdout.isTTY ? `\r  ${what} … ${seconds()}` : `  … ${seconds()}\n`),
    stdout.isTTY ? EVERY_MS.terminal : EVERY_MS.other,
  );
  try {
    const result = await work();
    stdout.write(`${stdout.isTTY ? '\r' : ''}✔ ${what} (${seconds()})\n`);
    return result;
  } catch (error) {
    if (stdout.isTTY) stdout.write('\n');
    throw error;
  } finally {
    clearInterval(timer);
  }
}
