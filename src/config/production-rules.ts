/** Whether production's rules apply, and why. */
export interface RulesInForce {
  readonly production: boolean;
  /** `NODE_ENV=production`, `GATEWAY_MODE=live`, or both in one text. Empty where neither is set. */
  readonly because: string;
}

/**
 * The settings that turn production's rules on. Either one is enough, because real money must not depend on remembering the
 * other.
 */
const CALLS = { NODE_ENV: 'production', GATEWAY_MODE: 'live' } as const;

/**
 * Reads which rules apply. Takes the raw environment or the checked variables, because both spell these values the same
 * way.
 */
export function rulesInForce(env: { readonly [name in keyof typeof CALLS]?: string }): RulesInForce {
  const calls = Object.entries(CALLS)
    .filter(([name, word]) => env[name as keyof typeof CALLS] === word)
    .map(([name, word]) => `${name}=${word}`);
  return { production: calls.length > 0, because: calls.join(' and ') };
}

/** Tells the operator, in the message of a refused start, which rules apply. */
export function describeRules({ production, because }: RulesInForce): string {
  return production
    ? `Production's rules are in force (${because}).`
    : "Production's rules are not in force: neither NODE_ENV=production nor GATEWAY_MODE=live is set.";
}
