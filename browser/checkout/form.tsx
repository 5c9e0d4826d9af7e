import type { JSX, VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { CheckoutSession, Payment, PaymentMethod, Tillfront, UssdBank } from '../kit/types.js';
import { useCheckout } from './context.js';
import { likelyCountry } from './countries.js';
import { Field, wrongIn, type FieldSpec } from './field.js';
import { cardIn, detailsIn, fieldAt, fieldsOf } from './fields.js';
import { Button, Icon, Notice, Progress, refusalText, Words } from './parts.js';
import type { Refusal } from './refusal.js';
import type { TabMemory, Typed } from './tab-memory.js';

/** What may be used for one try only. */
const ONE_TRY = ['card.cvv', 'card.pin'];

interface FormProps {
  session: CheckoutSession;
  kit: Tillfront;
  /** What was typed. It outlives the form, so that nothing has to be typed twice. */
  typed: Typed;
  memory: TabMemory;
}

/** The methods, the fields of the chosen method, and the button. */
export function Form({ session, kit, typed, memory }: FormProps): VNode {
  const { language, flow, now } = useCheckout();
  const { t, locale } = language;
  const [, redraw] = useState(0);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<Refusal>();
  const [asked, setAsked] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const [hasBanks, setHasBanks] = useState<boolean>();
  const [banks, setBanks] = useState<readonly UssdBank[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const group = useId();

  const method =
    session.methods.find((offered) => offered === typed['method']) ?? session.methods[0] ?? 'card';
  typed['billing.country'] ??= likelyCountry(locale, session.currency) ?? '';
  const groups = fieldsOf({ session, method, typed, language, now, banks, asked });
  const fields = [...groups.card, ...groups.bank, ...groups.payer, ...groups.billing];

  const wrong = fields.filter(({ name }) => errors[name] !== undefined);

  const put = (name: string, value: string): void => {
    typed[name] = value;
    redraw((count) => count + 1);
  };
  const fault = (name: string, text: string | undefined): void => {
    setErrors(({ [name]: _, ...others }) => (text === undefined ? others : { ...others, [name]: text }));
  };

  const loadBanks = (): void => {
    setHasBanks(undefined);
    kit.ussdBanks().then(
      (found) => {
        setBanks(found);
        setHasBanks(true);
      },
      () => setHasBanks(false),
    );
  };
  useEffect(() => {
    if (method === 'ussd' && banks.length === 0) loadBanks();
  }, [method]);
  useEffect(() => () => ONE_TRY.forEach((name) => delete typed[name]), []);

  const focusOn = (name: string | undefined): void =>
    // The field may be one that has just been asked for.
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

  const explain = (why: Refusal): void => {
    const names = why.pointers.map(fieldAt);
    const unseen = names.filter(
      (name) => /^(payer|billing)\./.test(name) && !fields.some((field) => field.name === name),
    );
    if (unseen.length > 0) setAsked(new Set([...asked, ...unseen]));
    const after = fieldsOf({
      session,
      method,
      typed,
      language,
      now,
      banks,
      asked: new Set([...asked, ...unseen]),
    });
    const refused = Object.values(after)
      .flat()
      .filter(({ name }: FieldSpec) => names.includes(name)) as FieldSpec[];
    setErrors(
      Object.fromEntries(
        refused.map((field) => [field.name, wrongIn(field, typed[field.name] ?? '') ?? field.refused]),
      ),
    );
    const isOfNoField = why.message === 'checkFields' && refused.length === 0;
    setRefusal(isOfNoField ? { message: 'problem.unexpected', pointers: [] } : why);
    if (refused.length > 0) focusOn(refused[0]?.name);
  };

  const submit = async (event: JSX.TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isBusy || flow === undefined) return;
    // What a browser filled in without a word counts too.
    for (const control of event.currentTarget.querySelectorAll<HTMLInputElement>('[data-field]'))
      typed[control.dataset['field'] ?? ''] = control.value;
    const faults = fields.flatMap((field) => {
      const text = wrongIn(field, typed[field.name] ?? '');
      return text === undefined ? [] : [[field.name, text] as const];
    });
    setErrors(Object.fromEntries(faults));
    setRefusal(faults.length > 0 ? { message: 'checkFields', pointers: [] } : undefined);
    if (faults.length > 0) {
      focusOn(faults[0]?.[0]);
      return;
    }
    memory.keepForm({ ...typed, method });
    setBusy(true);
    const why = await flow.pay(begin);
    setBusy(false);
    for (const name of why?.message === 'checkFields' ? [] : ONE_TRY) delete typed[name];
    if (why !== undefined) explain(why);
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
        if (errors[field.name] !== undefined) fault(field.name, wrongIn(field, value));
        if (!field.name.startsWith('card.')) memory.keepForm({ ...typed, method });
      }}
      leave={() => {
        if ((typed[field.name] ?? '').trim() !== '')
          fault(field.name, wrongIn(field, typed[field.name] ?? ''));
      }}
    />
  );

  return (
    <form
      class="view"
      noValidate
      ref={form}
      data-busy={isBusy || undefined}
      onSubmit={(event) => void submit(event)}
    >
      <fieldset class="methods" role="radiogroup" aria-labelledby={`${group}-title`}>
        <legend id={`${group}-title`} class="legend">
          {t('chooseMethod')}
        </legend>
        {session.methods.map((offered) => (
          <Tile
            key={offered}
            method={offered}
            group={group}
            isChosen={offered === method}
            choose={() => {
              if (isBusy) return;
              setRefusal(undefined);
              put('method', offered);
            }}
          />
        ))}
      </fieldset>
      {method !== 'card' && <p class="help">{t(`${method}.help`)}</p>}
      {fields.length > 0 && (
        <>
          <div class="fields">{[...groups.card, ...groups.bank].map(draw)}</div>
          {hasBanks === false && method === 'ussd' && (
            <Notice>
              <p>{t('ussd.banksFailed')}</p>
              <Button kind="quiet" press={loadBanks}>
                {t('tryAgain')}
              </Button>
            </Notice>
          )}
          <Group title={t('payer.title')}>{groups.payer.map(draw)}</Group>
          <Group title={t('billing.title')}>{groups.billing.map(draw)}</Group>
        </>
      )}
      <Notice>
        {refusal?.message === 'checkFields'
          ? wrong.length > 0 && <WrongFields wrong={wrong} focusOn={focusOn} />
          : refusal && <RefusedText refusal={refusal} hasOther={session.methods.length > 1} />}
      </Notice>
      <div class="actions">
        <Button kind="primary" isBusy={isBusy} submits>
          <Words text="pay" amounts={{ amount: session.amount }} currency={session.currency} />
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
        type="radio"
        name={group}
        id={id}
        checked={isChosen}
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

function Group({ title, children }: { title: string; children: VNode[] }): VNode | null {
  if (children.length === 0) return null;
  return (
    <fieldset class="fields">
      <legend class="legend">{title}</legend>
      {children}
    </fieldset>
  );
}

/** Which fields have to be looked at. Each name leads to its field, where it says what is wrong. */
function WrongFields({
  wrong,
  focusOn,
}: {
  wrong: readonly FieldSpec[];
  focusOn: (name: string) => void;
}): VNode | null {
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

function RefusedText({ refusal, hasOther }: { refusal: Refusal; hasOther: boolean }): VNode {
  const { language } = useCheckout();
  const other = hasOther ? 'problem.blockedOther' : 'problem.blockedShop';
  return (
    <p>
      {refusalText(language, refusal)}
      {refusal.message === 'problem.blocked' && ` ${language.t(other)}`}
    </p>
  );
}
