import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { typedAmount } from './amounts.js';
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
  kind?: 'text' | 'date' | 'search' | 'email' | 'password' | 'amount' | 'note' | 'select' | 'choice';
  options?: Options;
  value?: string | undefined;
  isOptional?: boolean;
  /** Whether it belongs to what was filled in so far. */
  isShown?: (values: Values) => boolean;
}

/** What was filled in, and what was refused of it. */
export interface FormState {
  fields: readonly Field[];
  values: Values;
  change: (name: string, value: string) => void;
  error: unknown;
  submit: (event: Event) => void;
}

/** A form's state. `run` gets the values; a second press while it runs does nothing. What it throws is shown. */
export function useForm(all: readonly Field[], run: (values: Values) => Promise<void> | void): FormState {
  const first = Object.fromEntries(all.map(({ name, value = '' }) => [name, value]));
  const [values, setValues] = useState<Values>(first);
  const [error, setError] = useState<unknown>();
  const isBusy = useRef(false);
  const given = JSON.stringify(first);
  useEffect(() => setValues(first), [given]);
  const fields = all.filter(({ isShown }) => isShown?.(values) !== false);
  const submit = async (): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    setError(undefined);
    try {
      const filled = Object.fromEntries(fields.map(({ name }) => [name, (values[name] ?? '').trim()]));
      checkAmounts(fields, filled);
      await run(filled);
    } catch (problem) {
      setError(problem);
    } finally {
      isBusy.current = false;
    }
  };
  return {
    ...{ fields, values, error },
    change: (name, value) => setValues((before) => ({ ...before, [name]: value })),
    submit: (event) => {
      event.preventDefault();
      void submit();
    },
  };
}

function checkAmounts(fields: readonly Field[], values: Values): void {
  const faults = fields
    .filter(({ kind, name }) => kind === 'amount' && typedAmount(values[name] ?? '') === undefined)
    .map(({ name }) => ({ pointer: `/${name}`, message: 'must be an amount, such as 1500.00' }));
  if (faults.length > 0) throw new Refused('not-an-amount', 'Check what you typed.', faults);
}

export function Fields({ fields, values, change, error }: FormState): JSX.Element {
  const faults = error instanceof Refused ? error.faults : [];
  const faultOf = ({ name }: Field): string | undefined =>
    faults.find(({ pointer }) => pointer.split('/').at(-1) === name)?.message;
  return (
    <>
      {fields.map((field) => (
        <Control
          key={field.name}
          {...{ field, value: values[field.name] ?? '', fault: faultOf(field) }}
          change={(value) => change(field.name, value)}
        />
      ))}
    </>
  );
}

interface ControlProps {
  field: Field;
  value: string;
  fault: string | undefined;
  change: (value: string) => void;
}

/** A control with its label, its hint and its fault. */
function Control({ field, value, fault, change }: ControlProps): JSX.Element {
  const { name, label, hint, kind = 'text', options = [], isOptional = false } = field;
  const id = useId();
  const notes = [hint, fault].filter((note) => note !== undefined);
  const control = {
    ...{ id, name, value, required: !isOptional, 'aria-invalid': fault !== undefined },
    'aria-describedby': notes.length > 0 ? `${id}-notes` : undefined,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => change(currentTarget.value),
  };
  if (kind === 'choice')
    return (
      <fieldset>
        <legend>{label}</legend>
        {options.map(([word, words]) => (
          <label key={word} class="choice">
            <input
              type="radio"
              {...{ name: id, required: true }}
              checked={value === word}
              onChange={() => change(word)}
            />
            {words}
          </label>
        ))}
      </fieldset>
    );
  const more = kind === 'amount' ? ({ inputMode: 'decimal', type: 'text' } as const) : { type: kind };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {kind === 'select' && (
        <select {...control}>
          {options.map(([word, words]) => (
            <option key={word} value={word}>
              {words}
            </option>
          ))}
        </select>
      )}
      {kind === 'note' && <textarea {...control} rows={2} maxLength={500} />}
      {kind !== 'select' && kind !== 'note' && (
        <input {...control} {...more} autocomplete="off" spellcheck={false} maxLength={300} />
      )}
      <div class="hint" id={`${id}-notes`}>
        {hint}
        {fault && <p class="problem">{fault}</p>}
      </div>
    </div>
  );
}

interface FormProps {
  fields: readonly Field[];
  /** The label of its button. */
  action: string;
  run: (values: Values) => Promise<void> | void;
  label: string;
  kind?: string;
  role?: 'search';
  /** Further buttons. */
  children?: ComponentChildren;
}

export function Form({
  fields,
  action,
  run,
  label,
  kind = 'card stack',
  role,
  children,
}: FormProps): JSX.Element {
  const form = useForm(fields, run);
  return (
    <form class={kind} aria-label={label} role={role} onSubmit={form.submit}>
      <Fields {...form} />
      <Problem error={form.error} fields={fields} />
      <div class="buttons">
        <button type="submit" class="primary">
          {action}
        </button>
        {children}
      </div>
    </form>
  );
}

/** What was refused, with the faults that no field shows. */
export function Problem({ error, fields = [] }: { error: unknown; fields?: readonly Field[] }): JSX.Element {
  const isRefused = error instanceof Refused;
  const isElsewhere = ({ pointer }: { pointer: string }): boolean =>
    !fields.some(({ name }) => pointer.split('/').at(-1) === name);
  const faults = isRefused ? error.faults.filter(isElsewhere) : [];
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
