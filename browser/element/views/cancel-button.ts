import type { Payment } from '../../kit/types.js';
import { h } from '../dom.js';
import { BusyButton } from './busy-button.js';
import { refusalText } from './refusal-text.js';
import type { ViewContext } from './view-context.js';

/** Cancels the payment, if the gateway still allows it. A payer who says that they have paid is asked first. */
export class CancelButton {
  readonly #button: BusyButton;
  readonly #context: ViewContext;
  readonly #payment: Payment;
  readonly #notice: HTMLElement;

  constructor(context: ViewContext, payment: Payment, notice: HTMLElement) {
    this.#context = context;
    this.#payment = payment;
    this.#notice = notice;
    const { t } = context.language;
    this.#button = new BusyButton(t, h('span', {}, t('cancel')), { class: 'quiet', type: 'button' });
    this.#button.element.addEventListener('click', () => {
      if (this.#button.isBusy) return;
      if (context.flow.partOf(payment.id).hasSent) this.#ask();
      else this.#cancel();
    });
  }

  get element(): HTMLElement {
    return this.#button.element;
  }

  get isBusy(): boolean {
    return this.#button.isBusy;
  }

  #ask(): void {
    const { t } = this.#context.language;
    const keep = (): void => {
      this.#notice.replaceChildren();
      this.element.focus();
    };
    const kept = h('button', { type: 'button', class: 'quiet', onclick: keep }, t('cancel.keep'));
    const sure = { type: 'button', class: 'quiet', onclick: (): void => this.#cancel() };
    this.#notice.replaceChildren(
      h('p', {}, t('cancel.ask')),
      h('div', { class: 'choices' }, kept, h('button', sure, t('cancel.sure'))),
    );
    kept.focus();
  }

  #cancel(): void {
    this.#notice.replaceChildren();
    this.#button.start();
    void this.#context.flow.cancel(this.#payment).then((refusal) => {
      this.#button.stop();
      if (refusal !== undefined) this.#notice.textContent = refusalText(this.#context, refusal);
    });
  }
}
