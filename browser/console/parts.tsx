import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PaymentDto } from '../generated/api.js';
import { money } from './amounts.js';
import { Form, Problem, type Field } from './form.js';
import { refundedWord } from './plain-words.js';
import type { Reading } from './reading.js';
import { given, hrefOf, type Query } from './route.js';
import { dateTime } from './times.js';
import { inWords } from './words.js';

interface PageProps {
  title: string;
  /** What stands beside the title. */
  beside?: ComponentChildren;
  /** What the page is about. */
  about?: string;
  children: ComponentChildren;
}

/** A page: its heading gets the focus when it is opened, and names the tab. */
export function Page({ title, beside, about, children }: PageProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  useEffect(() => void (document.title = `${title} – Tillfront console`), [title]);
  return (
    <section class="stack">
      <h2 ref={heading} tabIndex={-1}>
        {title}
        {beside && [' ', beside]}
      </h2>
      {about && <p class="muted">{about}</p>}
      {children}
    </section>
  );
}

interface LoadedProps<T> {
  of: Reading<T>;
  children: (value: T) => JSX.Element;
}

/** What was read, once it is there, and what went wrong. */
export function Loaded<T>({ of, children }: LoadedProps<T>): JSX.Element {
  return (
    <>
      <Problem error={of.error} />
      {of.value !== undefined && children(of.value)}
    </>
  );
}

/** An amount, which never breaks inside its digits. */
export function Sum({ amount, currency }: { amount: string; currency: string }): JSX.Element {
  return <bdi class="sum">{money(amount, currency)}</bdi>;
}

export function Moment({ at }: { at: string }): JSX.Element {
  return <time dateTime={at}>{dateTime(at)}</time>;
}

export function Badge({ kind, children }: { kind: string; children: ComponentChildren }): JSX.Element {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** The status in a word and a colour, and what else is so: refunded, disputed, a duplicate, needs attention. */
export function Badges({ payment }: { payment: PaymentDto }): JSX.Element {
  const { status, needsAttention, disputed, duplicateOf } = payment;
  const others = [
    refundedWord(payment),
    disputed && 'Disputed',
    duplicateOf !== null && 'Duplicate',
    needsAttention && 'Needs attention',
  ];
  return (
    <span class="badges">
      <Badge kind={status}>{inWords(status)}</Badge>
      {others.map((word) => word && <Badge kind="alert">{word}</Badge>)}
    </span>
  );
}

/** A payment, by the reference of its order. */
export function PaymentLink({ id, name }: { id: string | null; name: string }): JSX.Element {
  return id === null ? <>{name}</> : <a href={hrefOf(`payments/${id}`)}>{name}</a>;
}

/** Terms with their values; one without a value is left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }): JSX.Element {
  return (
    <dl class="facts">
      {facts.map(
        ([term, value]) =>
          value !== null && (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

interface FiltersProps {
  path: string;
  query: Query;
  fields: readonly Field[];
}

/** Filters of a list. They stand in the address, so that a list can be bookmarked. */
export function Filters({ path, query, fields }: FiltersProps): JSX.Element {
  const filled = fields.map((field) => ({
    ...{ ...field, isOptional: true, value: query[field.name] },
    ...(field.options && { kind: 'select' as const, options: [['', 'Any'] as const, ...field.options] }),
  }));
  const count = Object.keys(given(query)).filter((name) =>
    fields.some((field) => field.name === name),
  ).length;
  return (
    <details open={count > 0}>
      <summary>{count === 0 ? 'Filters' : `Filters (${count})`}</summary>
      <Form
        {...{ fields: filled, action: 'Apply', label: 'Filters', kind: 'filters' }}
        run={(values) => location.assign(hrefOf(path, values))}
      >
        <a class="button" href={hrefOf(path)}>
          Clear
        </a>
      </Form>
    </details>
  );
}
