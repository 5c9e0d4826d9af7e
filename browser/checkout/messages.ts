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
    try {
      const { language, baseName: locale } = new Intl.Locale(tag);
      const texts = await textsOf(language);
      if (texts === undefined) continue;
      const direction = language === 'ar' ? 'rtl' : 'ltr';
      return { locale, direction, t: translator({ ...english, ...texts }) };
    } catch {
      // Its file did not arrive, or it is no language: Chromium calls a system without a locale `en-US@posix`.
    }
  }
  return undefined;
}

async function textsOf(language: string): Promise<Texts | undefined> {
  if (language === 'en') return {};
  const known = others[language];
  if (known === undefined) return undefined;
  const { integrity, path } = known;
  const answer = await fetch(`${document.documentElement.dataset['root']}kit/${path}`, { integrity });
  return answer.ok ? ((await answer.json()) as Texts) : undefined;
}

function translator(texts: Readonly<Record<MessageKey, string>>): Translate {
  return (key, values = {}) =>
    texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
