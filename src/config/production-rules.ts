/** Whether production's rules hold, and what called for them. */
export interface RulesInForce {
  readonly production: boolean;
  /** `NODE_ENV=production`, `GATEWAY_MODE=live`, or both in one text; empty where neither calls for them. */
  readonly because: string;
}

/** What calls for production's rules. Each alone is enough: real money must not depend on remembering the other one. */
const CALLS = { NODE_ENV: 'production', GATEWAY_MODE: 'live' } as const;

/** Reads which rules hold. Takes the environment as well as the checked variables: neither word has another spelling. */
export function rulesInForce(env: { readonly [name in keyof typeof CALLS]?: string }): RulesInForce {
  const calls = Object.entries(CALLS)
    .filter(([name, word]) => env[name as keyof typeof CALLS] === word)
    .map(([name, word]) => `${name}=${word}`);
  return { production: calls.length > 0, because: calls.join(' and ') };
}

/** Says it to the operator, in the refusal of a start. */
export function describeRules({ production, because }: RulesInForce): string {
  return production
    ? `Production's rules are in force (${because}).`
    : "Production's rules are not in force: neither NODE_ENV=production nor GATEWAY_MODE=live is set.";
}
