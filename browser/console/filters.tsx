import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Select, Text, type Options } from './fields.js';
import { given, hrefOf, type Query } from './route.js';

export interface Filter {
  name: string;
  label: string;
  /** A text, a date, or one of several words. */
  kind: 'text' | 'date' | Options;
}

interface FiltersProps {
  path: string;
  query: Query;
  filters: readonly Filter[];
}

/** Filters of a list. They stand in the address, so that a list can be bookmarked. */
export function Filters({ path, query, filters }: FiltersProps): JSX.Element {
  const named = Object.fromEntries(filters.map(({ name }) => [name, query[name] ?? '']));
  const [values, setValues] = useState(named);
  const address = hrefOf(path, named);
  useEffect(() => setValues(named), [address]);
  const go = (wanted: Query): void => {
    location.hash = hrefOf(path, wanted);
  };
  const count = Object.keys(given(named)).length;
  return (
    <details class="filters" open={count > 0}>
      <summary>{count === 0 ? 'Filters' : `Filters (${count})`}</summary>
      <form
        aria-label="Filters"
        onSubmit={(event) => {
          event.preventDefault();
          go(values);
        }}
      >
        {filters.map(({ name, label, kind }) => {
          const field = { name, label, value: values[name] ?? '' };
          const change = (value: string): void => setValues((before) => ({ ...before, [name]: value.trim() }));
          if (typeof kind !== 'string')
            return <Select key={name} {...field} change={change} options={[['', 'Any'], ...kind]} />;
          // A date field shows nothing of a time.
          const value = kind === 'date' ? field.value.slice(0, 10) : field.value;
          return <Text key={name} {...field} value={value} change={change} more={{ type: kind, maxLength: 100 }} />;
        })}
        <div class="buttons">
          <button type="submit" class="primary">
            Apply
          </button>
          <button type="button" onClick={() => go({})}>
            Clear
          </button>
        </div>
      </form>
    </details>
  );
}
