import english from '../messages/en.json' with { type: 'json' };

/** The name of each text. Only `messages/en.json` lists them. */
export type MessageKey = keyof typeof english;
export type Translate = (key: MessageKey, values?: Readonly<Record<string, string>>) => string;

export interface Language {
  /** For `lang`, numbers and names: `en-NG`. */
  locale: string;
  direction: 'ltr' | 'rtl';
  t: Translate;
}

type Texts = Partial<Record<MessageKey, string>>;

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur']);

const others = JSON.parse(LANGUAGES) as Readonly<Record<string, { path: string; integrity: string }>>;

export const fallbackLanguage: Language = { locale: 'en', direction: 'ltr', t: translator(english) };

/** Every language that a payer can choose, by its tag, with its own name for itself. */
export function languages(): { tag: string; name: string }[] {
  return ['en', ...Object.keys(others)].map((tag) => {
    const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
    return { tag, name: name.charAt(0).toLocaleUpperCase(tag) + name.slice(1) };
  });
}

/**
 * The texts in the first preferred language that there is; undefined where there is none of them. English is built in, and
 * the others come from the service. Missing texts are in English.
 */
export async function findLanguage(wanted: readonly string[]): Promise<Language | undefined> {
  for (const tag of wanted) {
    const locale = canonical(tag);
    if (locale === undefined) continue;
    const { language } = new Intl.Locale(locale);
    const texts = language === 'en' ? {} : await textsOf(language);
    if (texts === undefined) continue;
    const direction = RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
    return { locale: moreExact(locale), direction, t: translator({ ...english, ...texts }) };
  }
  return undefined;
}

/** Undefined where there is no such language, or its file did not arrive: it may come another time. */
async function textsOf(language: string): Promise<Texts | undefined> {
  const known = others[language];
  if (known === undefined) return undefined;
  try {
    const answer = await fetch(`${document.documentElement.dataset['root']}kit/${known.path}`, {
      integrity: known.integrity,
    });
    return answer.ok ? ((await answer.json()) as Texts) : undefined;
  } catch {
    return undefined;
  }
}

/** If a page says only `en`, a reader whose browser says `en-NG` gets amounts in the Nigerian format. */
function moreExact(locale: string): string {
  if (locale.includes('-')) return locale;
  const own = navigator.languages.map(canonical);
  return own.find((one) => one?.startsWith(`${locale}-`)) ?? locale;
}

/** Undefined for what is no language tag. Browsers say such things too: Chromium calls a system without a locale `en-US@posix`. */
function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

function translator(texts: Readonly<Record<MessageKey, string>>): Translate {
  return (key, values = {}) =>
    texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
