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

/** Whether the language is written from right to left, by language or by script. */
const RIGHT_TO_LEFT = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

const loaded = new Map<string, Promise<Partial<Record<MessageKey, string>> | undefined>>();

export const fallbackLanguage: Language = { locale: 'en', direction: 'ltr', t: translator(english) };

/**
 * The texts in the first preferred language that has a file. English is built in, and the others come from the service.
 * Missing texts are in English.
 */
export async function loadLanguage(baseUrl: string, wanted: readonly string[]): Promise<Language> {
  for (const tag of wanted) {
    const locale = canonical(tag);
    if (locale === undefined) continue;
    const { language } = new Intl.Locale(locale);
    const texts = language === 'en' ? {} : await fetchTexts(baseUrl, language);
    if (texts === undefined) continue;
    return {
      locale: moreExact(locale),
      direction: RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr',
      t: translator({ ...english, ...texts }),
    };
  }
  return fallbackLanguage;
}

function fetchTexts(
  baseUrl: string,
  language: string,
): Promise<Partial<Record<MessageKey, string>> | undefined> {
  const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/kit/messages/${language}.json`;
  let texts = loaded.get(url);
  if (texts === undefined) {
    texts = fetch(url, { credentials: 'omit' }).then(
      async (answer) =>
        answer.ok ? ((await answer.json()) as Partial<Record<MessageKey, string>>) : undefined,
      () => undefined,
    );
    loaded.set(url, texts);
  }
  return texts;
}

/** If a page says only `en`, a reader whose browser says `en-NG` gets amounts in the Nigerian format. */
function moreExact(locale: string): string {
  if (locale.includes('-')) return locale;
  return navigator.languages.find((own) => own.startsWith(`${locale}-`)) ?? locale;
}

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
