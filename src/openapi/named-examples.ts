import type { ApiResponseNoStatusOptions } from '@nestjs/swagger';

type Examples = NonNullable<Extract<ApiResponseNoStatusOptions, { examples?: unknown }>['examples']>;

/** Examples of a body by their names. Nest's type asks for a summary of each, which OpenAPI does not need. */
export function namedExamples(values: Readonly<Record<string, unknown>>): Examples {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { value } as Examples[string]]),
  );
}
