import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { AMOUNT } from './amounts.js';
import { Refused } from './service.js';

export type Values = Readonly<Record<string, string>>;
export type Options = readonly (readonly [value: string, label: string])[];

/** One field of a form. */
export interface Field {
  /** As the service calls it, so that its refusal finds it. */
  name: string;
  label: string;
  hint?: string | undefined;
  /** `choice`: radio buttons, of which none is chosen beforehand. */
  kind?: 'text' | 'date' | 'search' | 'email' | 'password' | 'file' | 'amount' | 'note' | 'select' | 'choice';
  options?: Options;
  value?: string | undefined;
  isOptional?: boolean;
  /** Whether it belongs to what was filled in so far. */
  isShown?: (values: Values) => boolean;
}

interface FormProps {
  fields: readonly Field[];
  /** The label of its button. */
  action: string | ((values: Values) => string);
  /** Gets the values, also as the form has them. What it throws is shown. */
  run: (values: Values, data: FormData) => Promise<void> | void;
  label?: string;
  kind?: string;
  role?: 'search';
  /** Further buttons. */
  children?: ComponentChildren;
}

/** A form. A second press while `run` works does nothing. */
export function Form(props: FormProps): JSX.Element {
  const { fields, action, run, label, kind = 'card stack', role, children } = props;
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(fields.map(({ name, value = '' }) => [name, value])),
  );
  const [error, setError] = useState<unknown>();
  const form = useRef<HTMLFormElement>(null);
  const isBusy = useRef(false);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [error]);
  const submit = async (data: FormData): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    setError(undefined);
    const filled = Object.entries(textsOf(data)).map(([name, text]) => [name, text.trim()] as const);
    await Promise.resolve(run(Object.fromEntries(filled), data)).catch(setError);
    isBusy.current = false;
  };
  const faults = error instanceof Refused ? error.faults : [];
  return (
    <form
      {...{ ref: form, class: kind, 'aria-label': label, role }}
      onInput={({ currentTarget }) => setValues({ ...values, ...textsOf(new FormData(currentTarget)) })}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      {fields
        .filter(({ isShown }) => isShown?.(values) !== false)
        .map((field) => (
          <Control
            {...{ key: field.name, field, value: values[field.name] ?? '' }}
            fault={faults.find(({ pointer }) => pointer.endsWith(`/${field.name}`))?.message}
          />
        ))}
      <Problem error={error} fields={fields} />
      <div class="buttons">
        {/* The second press of a double click is meant for what was there before. */}
        <button type="submit" class="primary" onClick={(event) => event.detail > 1 && event.preventDefault()}>
          {typeof action === 'string' ? action : action(values)}
        </button>
        {children}
      </div>
    </form>
  );
}

function textsOf(data: FormData): Record<string, string> {
  return Object.fromEntries(
    [...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** A control with its label, its hint and its fault. */
function Control({
  field,
  value,
  fault,
}: {
  field: Field;
  value: string;
  fault: string | undefined;
}): JSX.Element {
  const { name, label, hint, kind = 'text', options = [], isOptional = false } = field;
  const id = useId();
  if (kind === 'choice')
    return (
      <fieldset>
        <legend>{label}</legend>
        {options.map(([word, words]) => (
          <label key={word} class="choice">
            <input {...{ type: 'radio', name, value: word, required: true }} checked={value === word} />
            {words}
          </label>
        ))}
      </fieldset>
    );
  const control = {
    ...{ id, name, required: !isOptional, 'aria-invalid': fault !== undefined },
    // A file's own value is the browser's.
    ...(kind !== 'file' && { value }),
    'aria-describedby': hint || fault ? `${id}-notes` : undefined,
  };
  const typed = { ...control, autocomplete: 'off', spellcheck: false, maxLength: 300 } as const;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {kind === 'select' ? (
        <select {...control}>
          {options.map(([word, words]) => (
            <option key={word} value={word}>
              {words}
            </option>
          ))}
        </select>
      ) : kind === 'note' ? (
        <textarea {...control} rows={2} maxLength={500} />
      ) : kind === 'amount' ? (
        <input {...typed} inputMode="decimal" pattern={AMOUNT} title="An amount, such as 1500.00" />
      ) : (
        <input {...typed} type={kind} />
      )}
      <div class="hint" id={`${id}-notes`}>
        {hint}
        {fault && <p class="problem">{fault}</p>}
      </div>
    </div>
  );
}

/** What was refused, with the faults that no field shows. */
export function Problem({ error, fields = [] }: { error: unknown; fields?: readonly Field[] }): JSX.Element {
  const isRefused = error instanceof Refused;
  const faults = (isRefused ? error.faults : []).filter(
    ({ pointer }) => !fields.some(({ name }) => pointer.endsWith(`/${name}`)),
  );
  return (
    <div role="alert" class="problem">
      {error !== undefined && <p>{isRefused ? error.message : 'That did not work.'}</p>}
      {faults.map(({ pointer, message }) => (
        <p key={pointer}>
          {pointer.slice(1).replaceAll('/', ', ')} {message}
        </p>
      ))}
    </div>
  );
}
