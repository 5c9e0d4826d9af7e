import type { JSX, VNode } from 'preact';
import { useId } from 'preact/hooks';

/** What a field is. */
export interface FieldSpec {
  /** `card.number`, `payer.email`: its place in what was typed. */
  name: string;
  label: string;
  /** Shown below the field and read out with it. */
  hint?: string;
  /** With choices, the field is a list. */
  choices?: readonly { value: string; label: string }[];
  attributes?: JSX.InputHTMLAttributes<HTMLInputElement>;
  /** `masked`: what is typed is not shown. */
  look?: 'masked' | 'code';
  /** Where there is room, two of them share a row. */
  isHalf?: boolean;
  /** Shown inside the field, at its end. */
  adornment?: string;
  /** Groups what is typed. */
  format?: (text: string) => string;
  isOptional?: boolean;
  /** Shown when nothing was typed and something has to be. */
  missing: string;
  /** What is wrong with what was typed, if anything. */
  check?: (value: string) => string | false;
  /** Shown when the service refuses a value that looked valid here. */
  refused: string;
}

/** What is wrong with a field's value, if anything is. */
export function wrongIn({ isOptional, missing, check }: FieldSpec, value: string): string | undefined {
  if (value.trim() !== '') return check?.(value.trim()) || undefined;
  return isOptional === true ? undefined : missing;
}

interface FieldProps {
  spec: FieldSpec;
  value: string;
  error: string | undefined;
  isReadOnly?: boolean;
  change: (value: string) => void;
  /** The payer has left the field. */
  leave: () => void;
}

/** A labelled field with a hint and an error, which assistive technology reads out together. */
export function Field({ spec, value, error, isReadOnly = false, change, leave }: FieldProps): VNode {
  const { name, label, hint, choices, attributes, look, isHalf, adornment, format } = spec;
  const id = useId();
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  const common = {
    id,
    'data-field': name,
    class: look === undefined ? 'control' : `control ${look}`,
    'aria-required': spec.isOptional !== true,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': described || undefined,
    onBlur: leave,
  };
  // Digits are grouped at the end of what is typed, and when the field is left: never under the caret.
  const take = ({ currentTarget: input, type }: JSX.TargetedEvent<HTMLInputElement>, kind = ''): void => {
    const isAtEnd = input.selectionStart === input.value.length && !kind.startsWith('delete');
    if (format && (isAtEnd || type !== 'input')) input.value = format(input.value);
    change(input.value);
  };
  return (
    <div class={isHalf ? 'field half' : 'field'}>
      <label for={id}>{label}</label>
      <div class="box">
        {choices ? (
          <select
            {...common}
            autocomplete={attributes?.autocomplete}
            value={value}
            onChange={(event) => change(event.currentTarget.value)}
          >
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
        ) : (
          <input
            type="text"
            autocapitalize="off"
            autocorrect="off"
            spellcheck={false}
            maxLength={200}
            dir="auto"
            {...attributes}
            {...common}
            readOnly={isReadOnly}
            value={value}
            onInput={(event) => !event.isComposing && take(event, event.inputType)}
            // What a browser fills in may come with no more than a change.
            onChange={(event) => take(event)}
          />
        )}
        {adornment && (
          <span class="brand" aria-hidden="true">
            {adornment}
          </span>
        )}
      </div>
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      <p id={`${id}-error`} class="error">
        {error}
      </p>
    </div>
  );
}
