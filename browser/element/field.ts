import { h, type Attributes } from './dom.js';

export interface FieldOptions {
  label: string;
  /** Shown below the field and read out with it. */
  hint?: string;
  /** An example of the format, like `MM / YY`. */
  placeholder?: string;
  attributes?: Attributes;
  /** With choices, the field is a list instead of a text field. */
  choices?: readonly { value: string; label: string }[];
  /** Shown inside the field, at its end. */
  adornment?: HTMLElement;
  /** Shown when nothing was typed and something has to be. */
  missing: string;
  /** What is wrong with what was typed, or undefined. */
  check?: (value: string) => string | undefined;
  /** Shown when the service refuses a value that looked valid here. */
  refused: string;
  className?: string;
}

let fieldCount = 0;

/** A labelled field with a hint and an error, which assistive technology reads out together. */
export class Field {
  readonly element: HTMLElement;
  readonly control: HTMLInputElement | HTMLSelectElement;
  readonly #error: HTMLElement;
  readonly #hint: HTMLElement;
  readonly #options: FieldOptions;
  readonly #id = `tillfront-${++fieldCount}`;

  constructor(options: FieldOptions) {
    this.#options = options;
    const id = this.#id;
    const common = { id, class: 'control', required: true, ...options.attributes };
    this.control = options.choices
      ? h('select', common, ...options.choices.map(({ value, label }) => h('option', { value }, label)))
      : h('input', {
          type: 'text',
          autocapitalize: 'off',
          autocorrect: 'off',
          spellcheck: 'false',
          placeholder: options.placeholder,
          ...common,
        });
    this.#hint = h('p', { id: `${id}-hint`, class: 'hint' }, options.hint);
    this.#error = h('p', { id: `${id}-error`, class: 'error' });
    this.element = h(
      'div',
      { class: `field ${options.className ?? ''}` },
      h('label', { for: id }, options.label),
      h('div', { class: 'box' }, this.control, options.adornment),
      this.#hint,
      this.#error,
    );
    this.#describe();
    this.control.addEventListener('blur', () => {
      if (this.value !== '') this.validate();
    });
    this.control.addEventListener('input', () => {
      if (this.#error.textContent !== '' && this.#wrong() === undefined) this.setError(undefined);
    });
  }

  get label(): string {
    return this.#options.label;
  }

  get value(): string {
    return this.control.value.trim();
  }

  set value(text: string) {
    this.control.value = text;
  }

  /** What is wrong with the value; empty where nothing is. */
  get error(): string {
    return this.#error.textContent ?? '';
  }

  get isShown(): boolean {
    return !this.element.hidden;
  }

  show(shown: boolean): void {
    this.element.hidden = !shown;
    if (!shown) this.setError(undefined);
  }

  get isRequired(): boolean {
    return this.control.required;
  }

  set isRequired(isRequired: boolean) {
    this.control.required = isRequired;
  }

  /** Whether the value is valid. Shows the error where it is not. */
  validate(): boolean {
    const error = this.#wrong();
    this.setError(error);
    return error === undefined;
  }

  /** The service refused the value. */
  refuse(): void {
    this.setError(this.#wrong() ?? this.#options.refused);
  }

  #wrong(): string | undefined {
    const { check, missing } = this.#options;
    if (this.value !== '') return check?.(this.value);
    return this.isRequired ? missing : undefined;
  }

  setHint(text: string): void {
    this.#hint.textContent = text;
    this.#describe();
  }

  setError(text: string | undefined): void {
    this.#error.textContent = text ?? '';
    if (text === undefined) this.control.removeAttribute('aria-invalid');
    else this.control.setAttribute('aria-invalid', 'true');
    this.#describe();
  }

  clear(): void {
    this.control.value = '';
    this.setError(undefined);
  }

  #describe(): void {
    const described = [this.#error, this.#hint].filter((text) => text.textContent !== '').map(({ id }) => id);
    if (described.length === 0) this.control.removeAttribute('aria-describedby');
    else this.control.setAttribute('aria-describedby', described.join(' '));
  }
}
