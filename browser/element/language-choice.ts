import { h } from './dom.js';
import { languages, type Language } from './messages.js';

const CHOSEN = 'tillfront:language';

let count = 0;

/** The language that the payer chose in this tab. Some browsers deny pages access to storage: then it lasts as long as the page. */
export const chosenLanguage = {
  recall(): string | undefined {
    try {
      return sessionStorage.getItem(CHOSEN) ?? undefined;
    } catch {
      return undefined;
    }
  },
  remember(tag: string): void {
    try {
      sessionStorage.setItem(CHOSEN, tag);
    } catch {
      // the page shows it all the same
    }
  },
};

/** The languages that there are, each by its own name. */
export class LanguageChoice {
  readonly element: HTMLElement;
  readonly #label: HTMLElement;
  readonly #list: HTMLSelectElement;

  constructor(choose: (tag: string) => void) {
    const id = `tillfront-language-${++count}`;
    this.#label = h('label', { for: id });
    this.#list = h(
      'select',
      { id, class: 'control', onchange: () => choose(this.#list.value) },
      ...languages().map(({ tag, name }) => h('option', { value: tag, lang: tag }, name)),
    );
    this.element = h('div', { class: 'language' }, this.#label, this.#list);
  }

  show({ locale, t }: Language): void {
    this.#label.textContent = t('language');
    this.#list.value = new Intl.Locale(locale).language;
  }

  /** While something is being sent, the page stays as it is. */
  set isBusy(isBusy: boolean) {
    this.#list.disabled = isBusy;
  }
}
