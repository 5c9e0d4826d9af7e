import type { CardPaymentRequest, CheckoutSession } from '../kit/types.js';
import { brandMark } from './brand-marks.js';
import { brandOf, isCardNumber, OTHER_BRAND, type CardBrand } from './card-brands.js';
import { h } from './dom.js';
import { isPast, parseExpiry } from './expiry.js';
import { Field } from './field.js';
import { digitsOf, expiryText, grouped, keepFormatted } from './formatted-input.js';
import { cardIcon } from './icons.js';
import type { Translate } from './messages.js';
import { needsPin, takesOfCard } from './needs.js';
import { pinField } from './pin-field.js';
import type { ViewContext } from './views/view-context.js';

/** The number of digits of the longest card number. */
const LONGEST_NUMBER = 19;

/** The card form. What is typed into it is not stored anywhere else. */
export class CardFields {
  readonly element: HTMLElement;
  readonly #t: Translate;
  readonly #now: ViewContext['now'];
  readonly #session: CheckoutSession;
  readonly #brandMark: HTMLElement;
  readonly #brandSpoken: HTMLElement;
  readonly #number: Field;
  readonly #expiry: Field;
  readonly #securityCode: Field;
  readonly #name: Field;
  readonly #pin: Field;
  #brand: CardBrand = OTHER_BRAND;

  constructor({ language: { t }, now }: Pick<ViewContext, 'language' | 'now'>, session: CheckoutSession) {
    this.#t = t;
    this.#now = now;
    this.#session = session;
    this.#brandMark = h('span', { class: 'brand', 'aria-hidden': 'true' }, cardIcon());
    this.#brandSpoken = h('span', { class: 'unseen', role: 'status' });
    this.#number = this.#numberField();
    this.#expiry = this.#expiryField();
    this.#securityCode = this.#securityCodeField();
    this.#name = new Field({
      label: t('card.name'),
      attributes: { autocomplete: 'cc-name', autocapitalize: 'words', maxlength: 100 },
      missing: t('error.required', { field: t('card.name') }),
      refused: t('error.field', { field: t('card.name') }),
    });
    this.#pin = pinField(t);
    this.#pin.show(false);
    this.#expiry.show(takesOfCard(session, 'expiryMonth') || takesOfCard(session, 'expiryYear'));
    this.#securityCode.show(takesOfCard(session, 'cvv'));
    this.#name.show(takesOfCard(session, 'nameOnCard'));
    this.element = h(
      'div',
      { class: 'fields' },
      this.#number.element,
      this.#brandSpoken,
      h('div', { class: 'pair' }, this.#expiry.element, this.#securityCode.element),
      this.#pin.element,
      this.#name.element,
    );
  }

  get fields(): readonly Field[] {
    return [this.#number, this.#expiry, this.#securityCode, this.#pin, this.#name];
  }

  /** The field that belongs to a pointer in the service's answer. */
  at(pointer: string): Field | undefined {
    const byPointer: Record<string, Field> = {
      '/card/number': this.#number,
      '/card/expiryMonth': this.#expiry,
      '/card/expiryYear': this.#expiry,
      '/card/cvv': this.#securityCode,
      '/card/pin': this.#pin,
      '/card/nameOnCard': this.#name,
    };
    return byPointer[pointer];
  }

  /** The card as typed, without what the gateway does not take. Call it only when everything is valid. */
  read(): CardPaymentRequest['card'] {
    const expiry = this.#expiry.isShown ? parseExpiry(digitsOf(this.#expiry.value)) : undefined;
    return {
      number: digitsOf(this.#number.value),
      ...(expiry ? { expiryMonth: expiry.month, expiryYear: expiry.year } : {}),
      ...(this.#securityCode.isShown ? { cvv: digitsOf(this.#securityCode.value) } : {}),
      ...(this.#pin.isShown && this.#pin.value !== '' ? { pin: digitsOf(this.#pin.value) } : {}),
      ...(this.#name.isShown ? { nameOnCard: this.#name.value } : {}),
    };
  }

  /** What was typed into the same fields in another language. */
  takeOver(before: CardFields): void {
    for (const [index, field] of this.fields.entries()) field.value = before.fields[index]?.value ?? '';
    this.#showBrand();
    this.#pin.value = before.#pin.value;
  }

  /** All fields except the name. */
  clear(): void {
    for (const field of [this.#number, this.#expiry, this.#securityCode, this.#pin]) field.clear();
    this.#showBrand();
  }

  /** What may be used for one try only. */
  clearCodes(): void {
    for (const field of [this.#securityCode, this.#pin]) field.clear();
  }

  #numberField(): Field {
    const t = this.#t;
    const field = new Field({
      label: t('card.number'),
      placeholder: '0000 0000 0000 0000',
      attributes: { autocomplete: 'cc-number', inputmode: 'numeric', dir: 'ltr' },
      adornment: this.#brandMark,
      missing: t('error.required', { field: t('card.number') }),
      check: (value) => (isCardNumber(digitsOf(value)) ? undefined : t('error.cardNumber')),
      refused: t('error.cardNumber'),
      className: 'has-brand',
    });
    keepFormatted(field.control as HTMLInputElement, (text) => {
      const number = digitsOf(text).slice(0, LONGEST_NUMBER);
      return grouped(number, brandOf(number).gaps);
    });
    field.control.addEventListener('input', () => this.#showBrand());
    return field;
  }

  #expiryField(): Field {
    const t = this.#t;
    const field = new Field({
      label: t('card.expiry'),
      placeholder: t('card.expiryFormat'),
      attributes: { autocomplete: 'cc-exp', inputmode: 'numeric', dir: 'ltr' },
      missing: t('error.required', { field: t('card.expiry') }),
      check: (value) => {
        const expiry = parseExpiry(digitsOf(value));
        if (expiry === undefined) return t('error.expiry');
        return isPast(expiry, this.#now()) ? t('error.expired') : undefined;
      },
      refused: t('error.expiry'),
    });
    keepFormatted(field.control as HTMLInputElement, expiryText);
    return field;
  }

  #securityCodeField(): Field {
    const t = this.#t;
    const field = new Field({
      label: t('card.securityCode'),
      hint: this.#securityCodeHint(),
      attributes: { autocomplete: 'cc-csc', inputmode: 'numeric', dir: 'ltr' },
      missing: t('error.required', { field: t('card.securityCode') }),
      check: (value) => {
        const length = this.#brand.securityCodeLength;
        const digits = digitsOf(value).length;
        const fits = this.#brand === OTHER_BRAND ? digits === 3 || digits === 4 : digits === length;
        return fits ? undefined : t('error.securityCode', { digits: String(length) });
      },
      refused: t('error.field', { field: t('card.securityCode') }),
    });
    keepFormatted(field.control as HTMLInputElement, (text) => digitsOf(text).slice(0, 4));
    return field;
  }

  #securityCodeHint(): string {
    const { id, securityCodeLength } = this.#brand;
    const key = id === 'amex' ? 'card.securityCodeHelpFront' : 'card.securityCodeHelp';
    return this.#t(key, { digits: String(securityCodeLength) });
  }

  #showBrand(): void {
    const brand = brandOf(digitsOf(this.#number.value));
    if (brand.id === this.#brand.id) return;
    this.#brand = brand;
    const { name } = brand;
    this.#brandMark.replaceChildren(brand.id === 'other' ? cardIcon() : brandMark(brand.id));
    this.#brandMark.dataset['brand'] = brand.id;
    this.#brandSpoken.textContent = name === '' ? '' : this.#t('card.brand', { brand: name });
    this.#securityCode.setHint(this.#securityCodeHint());
    const takesPin = needsPin(this.#session, brand);
    this.#pin.show(takesPin);
    this.#pin.isRequired = takesPin;
    this.#pin.setHint(this.#t('card.pinHelp', { brand: name }));
    if (!takesPin) this.#pin.clear();
  }
}
