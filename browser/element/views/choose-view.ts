import type { CheckoutSession, Payment, PaymentMethod, Tillfront } from '../../kit/types.js';
import { CardFields } from '../card-fields.js';
import { DetailsFields } from '../details-fields.js';
import { h } from '../dom.js';
import { errorSummary } from '../error-summary.js';
import type { Field } from '../field.js';
import type { Refusal } from '../refusal.js';
import { lockIcon, methodIcon } from '../icons.js';
import { phrase, sum } from '../sum.js';
import { BankField } from './bank-field.js';
import { BusyButton } from './busy-button.js';
import { refusalText } from './refusal-text.js';
import type { RenderedView, ViewContext } from './view-context.js';

let viewCount = 0;

/**
 * The methods, the fields of the chosen method, and the button. It lives as long as its session, so that nothing has to be
 * typed twice.
 */
export class ChooseView implements RenderedView {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #session: CheckoutSession;
  readonly #radios: ReadonlyMap<PaymentMethod, HTMLInputElement>;
  readonly #panel = h('div', { class: 'panel' });
  readonly #notice = h('div', { class: 'notice', role: 'alert' });
  readonly #payLabel = h('span', { class: 'label' });
  readonly #button: BusyButton;
  readonly #card: CardFields;
  readonly #bank: BankField;
  readonly #details: DetailsFields;
  readonly #encrypted: HTMLElement;
  #method: PaymentMethod;

  constructor(context: ViewContext, kit: Tillfront, session: CheckoutSession) {
    this.#context = context;
    this.#session = session;
    const { language } = context;
    this.#method = session.methods[0] ?? 'card';
    this.#card = new CardFields(context, session);
    this.#bank = new BankField(language.t, kit);
    this.#details = new DetailsFields(language, session);
    this.#button = new BusyButton(language.t, this.#payLabel, { class: 'primary', type: 'submit' });
    this.#encrypted = h('p', { class: 'assurance' }, lockIcon(), language.t('card.encrypted'));
    const legend = h(
      'h2',
      { class: 'legend', id: `tillfront-methods-${++viewCount}` },
      language.t('chooseMethod'),
    );
    this.#radios = new Map(session.methods.map((method) => [method, this.#radio(method)]));
    this.element = h(
      'form',
      { class: 'view', novalidate: true, onsubmit: (event) => void this.#submit(event) },
      legend,
      h(
        'div',
        { class: 'methods', role: 'radiogroup', 'aria-labelledby': legend.id },
        ...session.methods.map((method) => this.#tile(method)),
      ),
      this.#panel,
      this.#details.element,
      this.#notice,
      h('div', { class: 'actions' }, this.#button.element, this.#button.status, this.#encrypted),
    );
    const { memory } = context;
    const kept = memory.recallForm();
    const method = session.methods.find((offered) => offered === kept['method']) ?? this.#method;
    this.#choose(method);
    this.#check(method);
    this.#details.fillIn(kept);
    // of the card nothing is kept
    this.#details.element.addEventListener('change', () => this.#keep());
  }

  get focus(): HTMLElement {
    return this.#radios.get(this.#method) ?? this.element;
  }

  onRetry(offline: boolean): void {
    this.#button.retrying(offline);
  }

  /** Another view takes its place. The card stays for another try, but not what authorizes it. */
  dispose(): void {
    this.#card.clearCodes();
    this.#notice.replaceChildren();
  }

  /** Nothing more is paid with this card. */
  forgetCard(): void {
    this.#card.clear();
  }

  /** After a payment by this method the next one is begun by another, where there is one. */
  avoid(method: Payment['method']): void {
    const other = this.#session.methods.find((offered) => offered !== method);
    if (other === undefined || this.#method !== method) return;
    this.#check(other);
    this.#choose(other);
  }

  /** What was typed into the same form in another language. */
  takeOver(before: ChooseView): void {
    this.#card.takeOver(before.#card);
    this.#details.takeOver(before.#details);
    const bank = before.#bank.field.value;
    if (bank !== '') void this.#bank.load().then(() => (this.#bank.field.value = bank));
    this.#check(before.#method);
    this.#choose(before.#method);
  }

  #check(method: PaymentMethod): void {
    const radio = this.#radios.get(method);
    if (radio) radio.checked = true;
  }

  #keep(): void {
    this.#context.memory.keepForm({ method: this.#method, ...this.#details.typed });
  }

  #radio(method: PaymentMethod): HTMLInputElement {
    return h('input', {
      type: 'radio',
      name: `tillfront-method-${viewCount}`,
      id: `tillfront-method-${viewCount}-${method}`,
      value: method,
      checked: method === this.#method,
      onchange: () => this.#choose(method),
    });
  }

  #tile(method: PaymentMethod): HTMLElement {
    const radio = this.#radios.get(method) as HTMLInputElement;
    const { t } = this.#context.language;
    return h(
      'div',
      { class: 'method' },
      radio,
      h('label', { for: radio.id }, methodIcon(method), h('span', {}, t(`method.${method}`))),
    );
  }

  #choose(method: PaymentMethod): void {
    if (this.#button.isBusy) {
      this.#check(this.#method);
      return;
    }
    this.#method = method;
    const { language } = this.#context;
    const { t } = language;
    const { amount, currency } = this.#session;
    this.#notice.textContent = '';
    this.#details.showFor(method);
    this.#encrypted.hidden = method !== 'card';
    if (method === 'card') this.#panel.replaceChildren(this.#card.element);
    else this.#panel.replaceChildren(h('p', { class: 'help' }, t(`${method}.help`)));
    if (method === 'ussd') {
      this.#panel.append(this.#bank.element);
      void this.#bank.load();
    }
    const pay = phrase(language, 'pay', { amount: sum(amount, currency, language) });
    const next = method === 'card' ? undefined : h('span', { class: 'next' }, t(`${method}.next`));
    this.#payLabel.replaceChildren(h('span', {}, ...pay), ...(next ? [' ', next] : []));
  }

  get #fields(): Field[] {
    const own =
      this.#method === 'card' ? this.#card.fields : this.#method === 'ussd' ? [this.#bank.field] : [];
    return [...own, ...this.#details.fields].filter((field) => field.isShown);
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.#button.isBusy) return;
    this.#notice.textContent = '';
    const wrong = this.#fields.filter((field) => !field.validate());
    if (wrong.length > 0) {
      this.#notice.replaceChildren(...errorSummary(this.#context.language.t, wrong));
      this.#context.wrong(true);
      wrong[0]?.control.focus();
      return;
    }
    this.#setBusy(true);
    this.#keep();
    const refusal = await this.#context.flow.pay((kit) => this.#begin(kit));
    this.#setBusy(false);
    if (refusal !== undefined) this.#explain(refusal);
  }

  #begin(kit: Tillfront): Promise<Payment> {
    const details = this.#details.read();
    switch (this.#method) {
      case 'card':
        return kit.payByCard({ card: this.#card.read(), ...details });
      case 'wallet':
        return kit.payByWallet(details);
      case 'transfer':
        return kit.payByTransfer(details);
      case 'ussd':
        return kit.payByUssd({ bankCode: this.#bank.field.value, ...details });
    }
  }

  #explain(refusal: Refusal): void {
    const refused = refusal.pointers
      .map((pointer) => {
        if (pointer === '/bankCode') return this.#bank.field;
        const detail = this.#details.at(pointer);
        if (detail && !detail.isShown) this.#details.askFor(detail);
        return detail ?? this.#card.at(pointer);
      })
      .filter((field) => field !== undefined);
    for (const field of refused) field.refuse();
    const { t } = this.#context.language;
    const isFieldsFault = refusal.message === 'checkFields';
    if (isFieldsFault && refused.length > 0)
      this.#notice.replaceChildren(...errorSummary(t, [...new Set(refused)]));
    else this.#notice.textContent = this.#refusalText(isFieldsFault, refusal);
    this.#context.wrong(true);
    refused[0]?.control.focus();
  }

  #refusalText(isFieldsFault: boolean, refusal: Refusal): string {
    const { t } = this.#context.language;
    if (isFieldsFault) return t('problem.unexpected');
    const text = refusalText(this.#context, refusal);
    if (refusal.message !== 'problem.blocked') return text;
    const hasOther = this.#session.methods.length > 1;
    return `${text} ${t(hasOther ? 'problem.blockedOther' : 'problem.blockedShop')}`;
  }

  #setBusy(busy: boolean): void {
    this.#context.busy(busy);
    if (busy) this.#context.wrong(false);
    if (busy) this.#button.start();
    else this.#button.stop();
    for (const { control } of this.#fields) {
      if (control instanceof HTMLInputElement) control.readOnly = busy;
    }
    this.element.toggleAttribute('data-busy', busy);
  }
}
