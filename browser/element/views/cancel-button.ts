import type { Payment } from '../../kit/types.js';
import { h } from '../dom.js';
import { BusyButton } from './busy-button.js';
import type { ViewContext } from './view-context.js';

/** Cancels the payment, if the gateway still allows it. */
export class CancelButton {
  readonly #button: BusyButton;

  constructor(context: ViewContext, payment: Payment, notice: HTMLElement) {
    const { t } = context.language;
    this.#button = new BusyButton(t, h('span', {}, t('cancel')), { class: 'quiet', type: 'button' });
    this.#button.element.addEventListener('click', () => {
      if (this.#button.isBusy) return;
      notice.textContent = '';
      this.#button.start();
      void context.flow.cancel(payment).then((refusal) => {
        this.#button.stop();
        if (refusal !== undefined) notice.textContent = t(refusal.message);
      });
    });
  }

  get element(): HTMLElement {
    return this.#button.element;
  }

  get isBusy(): boolean {
    return this.#button.isBusy;
  }
}
