import { createContext, type ComponentChildren, type JSX } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { Refused } from './service.js';

/** The refusal of what was filled in. Fields find their own faults in it. */
export const FaultsContext = createContext<unknown>(undefined);

interface ControlProps {
  id: string;
  name: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}

interface FieldProps {
  label: string;
  /** As the service calls it, so that its refusal finds it. */
  name: string;
  hint?: string;
  children: (control: ControlProps) => JSX.Element;
}

/** A control with its label, its hint and its fault. */
export function Field({ label, name, hint, children }: FieldProps): JSX.Element {
  const id = useId();
  const fault = useFault(name);
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const control = { id, name, 'aria-describedby': described || undefined, 'aria-invalid': Boolean(fault) };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(control)}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

function useFault(name: string): string | undefined {
  const error = useContext(FaultsContext);
  if (!(error instanceof Refused)) return undefined;
  return error.faults.find(({ pointer }) => pointer.split('/').at(-1) === name)?.message;
}

interface InputProps extends Omit<FieldProps, 'children'> {
  value: string;
  change: (value: string) => void;
}

/** A field of one line. `more`: further attributes of the input. */
export function Text({ value, change, more, ...field }: InputProps & { more?: JSX.InputHTMLAttributes }): JSX.Element {
  return (
    <Field {...field}>
      {(control) => (
        <input
          type="text"
          autocomplete="off"
          spellcheck={false}
          {...control}
          {...more}
          value={value}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** An amount in a currency. */
export function Amount({ currency, ...field }: InputProps & { currency: string }): JSX.Element {
  const more = { inputMode: 'decimal', maxLength: 20, required: true } as const;
  return <Text hint={`In ${currency}.`} more={more} {...field} />;
}

/** Free text that is kept: a reason or a note. */
export function Note({ value, change, required = false, ...field }: InputProps & { required?: boolean }): JSX.Element {
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          rows={2}
          maxLength={500}
          required={required}
          value={value}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
    </Field>
  );
}

export type Options = readonly (readonly [value: string, label: string])[];

export function Select({ value, change, options, ...field }: InputProps & { options: Options }): JSX.Element {
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
          {options.map(([word, label]) => (
            <option key={word} value={word}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface ChoicesProps {
  legend: string;
  value: string;
  change: (value: string) => void;
  options: Options;
}

/** One of several answers, of which none is chosen beforehand. */
export function Choices({ legend, value, change, options }: ChoicesProps): JSX.Element {
  const name = useId();
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map(([word, label]) => (
        <label key={word} class="choice">
          <input type="radio" name={name} required checked={value === word} onChange={() => change(word)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/** What was refused, with every fault that no field shows. */
export function Problem({ error }: { error: unknown }): JSX.Element {
  const isRefused = error instanceof Refused;
  const faults = isRefused ? error.faults : [];
  return (
    <div role="alert" class="problem">
      {error !== undefined && <p>{isRefused ? error.message : 'That did not work.'}</p>}
      {faults.length > 0 && (
        <ul>
          {faults.map(({ pointer, message }) => (
            <li key={pointer}>
              {placeWords(pointer)} {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** `/payer/firstName` → `Payer, first name:`; `/12/amount` → `Line 12, amount:`. Pure. */
export function placeWords(pointer: string): string {
  const words = pointer
    .replace(/^\/(\d+)/, '/line $1')
    .replace(/^\//, '')
    .replaceAll('/', ', ')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words === '' ? '' : `${words.charAt(0).toUpperCase()}${words.slice(1)}:`;
}

/** A form's or dialog's fields, which know what was refused. */
export function Faults({ error, children }: { error: unknown; children: ComponentChildren }): JSX.Element {
  return <FaultsContext.Provider value={error}>{children}</FaultsContext.Provider>;
}
