import type { JSX, VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { CheckoutSession, Payment, PaymentMethod, Tillfront, UssdBank } from '../kit/types.js';
import { useCheckout } from './context.js';
import { likelyCountry } from './countries.js';
import { Field, wrongIn, type FieldSpec } from './field.js';
import { cardIn, detailsIn, fieldAt, fieldsOf, type Typed } from './fields.js';
import { Button, Icon, Notice, Progress, refusalText } from './parts.js';
import type { Refusal } from './refusal.js';

/** What may be used for one try only. */
const ONE_TRY = ['card.cvv', 'card.pin'];

interface FormProps {
  session: CheckoutSession;
  kit: Tillfront;
  /** What was typed. It outlives the form, so that nothing has to be typed twice. */
  typed: Typed;
}

/** The methods, the fields of the chosen method, and the button. */
export function Form({ session, kit, typed }: FormProps): VNode {
  const { language, flow, now, say } = useCheckout();
  const { t, locale } = language;
  const [, redraw] = useState(0);
  const [errors, setErrors] = useState<Readonly<Record<string, string | undefined>>>({});
  const [refusal, setRefusal] = useState<Refusal>();
  const [isBusy, setBusy] = useState(false);
  const [banks, setBanks] = useState<readonly UssdBank[] | 'failed'>([]);
  const form = useRef<HTMLFormElement>(null);
  const group = useId();

  const method =
    session.methods.find((offered) => offered === typed['method']) ?? session.methods[0] ?? 'card';
  typed['billing.country'] ??= likelyCountry(locale, session.currency) ?? '';
  const groups = fieldsOf({
    ...{ session, method, typed, language, now },
    banks: banks === 'failed' ? [] : banks,
  });
  const fields = [...groups.card, ...groups.bank, ...groups.payer, ...groups.billing];
  const faultOf = (field: FieldSpec): string | undefined => wrongIn(field, typed[field.name] ?? '');

  const stillWrong = fields.filter(({ name }) => errors[name] !== undefined);

  const put = (name: string, value: string): void => {
    typed[name] = value;
    redraw((count) => count + 1);
  };
  const loadBanks = (): void => {
    setBanks([]);
    kit.ussdBanks().then(setBanks, () => setBanks('failed'));
  };
  useEffect(() => {
    if (method === 'ussd' && banks.length === 0) loadBanks();
  }, [method]);
  useEffect(() => () => ONE_TRY.forEach((name) => delete typed[name]), []);

  const focusOn = (name: string): void =>
    // When what is wrong with it stands there.
    void setTimeout(() => form.current?.querySelector<HTMLElement>(`[data-field="${name}"]`)?.focus());

  const begin = (client: Tillfront): Promise<Payment> => {
    const details = detailsIn(typed, groups);
    switch (method) {
      case 'card':
        return client.payByCard({ card: cardIn(typed, groups.card), ...details });
      case 'wallet':
        return client.payByWallet(details);
      case 'transfer':
        return client.payByTransfer(details);
      case 'ussd':
        return client.payByUssd({ bankCode: typed['bankCode'] ?? '', ...details });
    }
  };

  /** Shows what is wrong with these fields, and leads to the first. */
  const complain = (wrong: readonly FieldSpec[]): void => {
    setErrors(Object.fromEntries(wrong.map((field) => [field.name, faultOf(field) ?? field.refused])));
    setRefusal(wrong.length > 0 ? { message: 'checkFields' } : undefined);
    if (wrong[0]) focusOn(wrong[0].name);
  };

  const submit = async (event: JSX.TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isBusy || flow === undefined) return;
    // What a browser filled in without a word counts too.
    for (const control of event.currentTarget.querySelectorAll<HTMLInputElement>('[data-field]'))
      typed[control.dataset['field'] ?? ''] = control.value;
    const wrong = fields.filter((field) => faultOf(field) !== undefined);
    complain(wrong);
    if (wrong.length > 0) return;
    setBusy(true);
    const why = await flow.pay(begin);
    setBusy(false);
    if (why?.message !== 'checkFields') for (const name of ONE_TRY) delete typed[name];
    if (why === undefined) return;
    const refused = fields.filter(({ name }) => why.pointers?.map(fieldAt).includes(name));
    const isOfNoField = why.message === 'checkFields' && refused.length === 0;
    if (refused.length > 0) complain(refused);
    else setRefusal(isOfNoField ? { message: 'problem.unexpected' } : why);
  };

  const draw = (field: FieldSpec): VNode => (
    <Field
      key={field.name}
      spec={field}
      value={typed[field.name] ?? ''}
      error={errors[field.name]}
      isReadOnly={isBusy}
      change={(value) => {
        put(field.name, value);
        if (errors[field.name] !== undefined) setErrors({ ...errors, [field.name]: wrongIn(field, value) });
      }}
      leave={() => {
        if (typed[field.name]?.trim()) setErrors({ ...errors, [field.name]: faultOf(field) });
      }}
    />
  );

  return (
    <form class="view" noValidate ref={form} onSubmit={(event) => void submit(event)}>
      <fieldset class="methods" role="radiogroup" aria-labelledby={`${group}-title`}>
        <legend id={`${group}-title`} class="legend">
          {t('chooseMethod')}
        </legend>
        {session.methods.map((offered) => (
          <Tile
            {...{ key: offered, method: offered, group, isChosen: offered === method }}
            choose={() => {
              if (isBusy) return;
              setRefusal(undefined);
              put('method', offered);
            }}
          />
        ))}
      </fieldset>
      {method !== 'card' && <p class="help">{t(`${method}.help`)}</p>}
      <Group>{[...groups.card, ...groups.bank].map(draw)}</Group>
      {banks === 'failed' && method === 'ussd' && (
        <Notice>
          <p>{t('ussd.banksFailed')}</p>
          <Button kind="quiet" press={loadBanks}>
            {t('tryAgain')}
          </Button>
        </Notice>
      )}
      <Group title={t('payer.title')}>{groups.payer.map(draw)}</Group>
      <Group title={t('billing.title')}>{groups.billing.map(draw)}</Group>
      <Notice>
        {refusal?.message === 'checkFields'
          ? stillWrong.length > 0 && <WrongFields wrong={stillWrong} focusOn={focusOn} />
          : refusal && <p>{refusalText(language, refusal)}</p>}
      </Notice>
      <div class="actions">
        <Button kind="primary" isBusy={isBusy} submits>
          {say({ text: 'pay', amounts: { amount: session.amount } }, session.currency)}
        </Button>
        <Progress isBusy={isBusy} />
        {method === 'card' && (
          <p class="assurance">
            <Icon name="lock" />
            {t('card.encrypted')}
          </p>
        )}
      </div>
    </form>
  );
}

function Tile(props: { method: PaymentMethod; group: string; isChosen: boolean; choose: () => void }): VNode {
  const { method, group, isChosen, choose } = props;
  const { t } = useCheckout().language;
  const id = `${group}-${method}`;
  return (
    <div class="method">
      <input
        {...{ type: 'radio', name: group, id, checked: isChosen }}
        data-focus={isChosen || undefined}
        onChange={choose}
      />
      <label for={id}>
        <Icon name={method} />
        <span>{t(`method.${method}`)}</span>
      </label>
    </div>
  );
}

function Group({ title, children }: { title?: string; children: VNode[] }): VNode | null {
  if (children.length === 0) return null;
  return (
    <fieldset class="fields">
      {title && <legend class="legend">{title}</legend>}
      {children}
    </fieldset>
  );
}

interface WrongFieldsProps {
  wrong: readonly FieldSpec[];
  focusOn: (name: string) => void;
}

/** Which fields have to be looked at. Each name leads to its field, where it says what is wrong. */
function WrongFields({ wrong, focusOn }: WrongFieldsProps): VNode {
  const { t } = useCheckout().language;
  return (
    <>
      <p>{t('checkFields')}</p>
      <ul class="wrong">
        {wrong.map(({ name, label }) => (
          <li key={name}>
            <button type="button" class="to-field" onClick={() => focusOn(name)}>
              {label}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
