/** How many passed values are remembered. There are some hundred time zones and about as many languages in use. */
const MAX_REMEMBERED = 2_000;

/**
 * Remembers what passed a slow test. What failed is tested again each time: hostile values are without number,
 * and they must not push out the honest ones.
 */
export function rememberPassed(test: (text: string) => boolean): (text: string) => boolean {
  const passed = new Set<string>();
  return (text) => {
    if (passed.has(text)) return true;
    if (!test(text)) return false;
    if (passed.size < MAX_REMEMBERED) passed.add(text);
    return true;
  };
}
