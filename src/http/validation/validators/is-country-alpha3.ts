import type { ValidationOptions } from 'class-validator';
// The package's main file loads the names of all countries in all languages.
import countries from 'i18n-iso-countries/index.js';
import { textRule } from './text-rule.js';

const codes: ReadonlySet<string> = new Set(Object.keys(countries.getAlpha3Codes()));

/** A country by its ISO 3166-1 code of three capital letters (`NGA`). */
export const IsCountryAlpha3 = (options?: ValidationOptions): PropertyDecorator =>
  textRule(
    'isCountryAlpha3',
    'must be a country code of three capital letters',
    (text) => codes.has(text),
    options,
  );
