import type { Appearance } from '../kit/types.js';

/** Reads the attribute `appearance`: JSON, or `accent: #0b6b55; radius: 4px; font-size: 18px; dark: true`. */
export function appearanceIn(text: string): Appearance {
  const given = fromJson(text) ?? fromDeclarations(text);
  const { accent, radius, fontSize = given['font-size'], dark } = given;
  return {
    ...(typeof accent === 'string' && { accent }),
    ...(typeof radius === 'string' && { radius }),
    ...(typeof fontSize === 'string' && { fontSize }),
    ...((typeof dark === 'boolean' || dark === 'true' || dark === 'false') && {
      dark: String(dark) === 'true',
    }),
  };
}

function fromJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function fromDeclarations(text: string): Record<string, unknown> {
  const pairs = text.split(';').map((declaration) => {
    const [name = '', ...value] = declaration.split(':');
    return [name.trim(), value.join(':').trim()] as const;
  });
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}
