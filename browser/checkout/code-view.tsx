import type { JSX, VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Payment } from '../kit/types.js';
import { useCheckout } from './context.js';
import { digitsOf } from './digits.js';
import { Field, wrongIn } from './field.js';
import { otpField, pinField } from './fields.js';
import { Button, Progress, refusalText } from './parts.js';
import { Cancel } from './waiting-views.js';

/** The form for the code that the payer's bank sent, or for the card's PIN. */
export function CodeView({ payment, type }: { payment: Payment; type: 'otp' | 'pin' }): VNode {
  const { language, flow, announce } = useCheckout();
  const { t } = language;
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const field = type === 'otp' ? otpField(t) : pinField(t);
  const { nextAction } = payment;
  const message = nextAction?.type === type ? nextAction.message : undefined;

  /** The error is read with the field. Where the field has the focus already, nothing would be read without a word. */
  const complain = (text: string): void => {
    setError(text);
    const control = form.current?.querySelector('input');
    if (document.activeElement === control) announce(text);
    else control?.focus();
  };

  const submit = async (event: JSX.TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isBusy || flow === undefined) return;
    const typed = event.currentTarget.querySelector('input')?.value ?? code;
    const wrong = wrongIn(field, typed);
    if (wrong !== undefined) {
      complain(wrong);
      return;
    }
    setBusy(true);
    const why = await flow.submitCode(payment, type, digitsOf(typed));
    setBusy(false);
    setCode('');
    if (why !== undefined) complain([refusalText(language, why), why.words].filter(Boolean).join(' '));
  };

  return (
    <form class="view" noValidate ref={form} onSubmit={(event) => void submit(event)}>
      <h2>{t(`${type}.title`)}</h2>
      <p class="help">{t(`${type}.help`)}</p>
      {/* The bank's own words may be in any language. They are shown where they say more, like where the code went. */}
      {message !== undefined && /[\d*]/.test(message) && (
        <p class="quote" dir="auto">
          {message}
        </p>
      )}
      <div data-code>
        <Field
          spec={field}
          value={code}
          error={error}
          isReadOnly={isBusy}
          change={(value) => {
            setCode(value);
            if (error !== undefined && wrongIn(field, value) === undefined) setError(undefined);
          }}
          leave={() => undefined}
        />
      </div>
      <div class="actions">
        <Button kind="primary" isBusy={isBusy} submits>
          {t('continue')}
        </Button>
        <Cancel payment={payment} isHeld={isBusy} />
        <Progress isBusy={isBusy} />
      </div>
      {type === 'otp' && <p class="hint">{t('otp.none')}</p>}
    </form>
  );
}
