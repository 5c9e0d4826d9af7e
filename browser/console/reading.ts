import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

const FRESH_MS = 15_000;

/** What was read from the service. */
export interface Reading<T> {
  value: T | undefined;
  error: unknown;
  /** Reads it again. */
  again: () => Promise<void>;
}

/** Reads something whenever one of `inputs` changes, and again and again if it shall be fresh. An older answer never replaces a newer one. */
export function useRead<T>(read: () => Promise<T>, inputs: readonly unknown[], isFresh = false): Reading<T> {
  const [state, setState] = useState<{ value: T | undefined; error: unknown }>(NOTHING);
  const turn = useRef(0);
  const again = useCallback(async () => {
    const mine = ++turn.current;
    try {
      const value = await read();
      if (mine === turn.current) setState({ value, error: undefined });
    } catch (error) {
      if (mine === turn.current) setState(({ value }) => ({ value, error }));
    }
  }, inputs);
  useEffect(() => {
    setState(NOTHING);
    void again();
    return () => void turn.current++;
  }, [again]);
  useFresh(again, isFresh);
  return { ...state, again };
}

const NOTHING = { value: undefined, error: undefined };

/** One page of a list. */
export interface Page<T> {
  data: T[];
  nextCursor?: string | null;
}

/** A list as far as it was read. */
export interface Listing<T> extends Reading<readonly T[]> {
  /** Reads the next page; undefined at the end. */
  more: (() => Promise<void>) | undefined;
}

/** Reads a list page by page; `read` gets where a page begins. Reading it again renews its first page and keeps the later ones. */
export function useList<T extends { id: string }>(
  read: (at: { cursor?: string }) => Promise<Page<T>>,
  inputs: readonly unknown[],
  isFresh = false,
): Listing<T> {
  const first = useRead(() => read({}), inputs, isFresh);
  const [later, setLater] = useState<{ rows: readonly T[]; cursor: string | null; error: unknown }>();
  useEffect(() => setLater(undefined), inputs);
  const page = first.value;
  const rows = page && joined(page.data, later?.rows ?? []);
  // More new rows than one page since: the later pages are read anew.
  const isWhole = later === undefined || rows?.length === page?.data.length;
  const cursor = isWhole ? (page?.nextCursor ?? null) : later.cursor;
  const more = async (): Promise<void> => {
    if (cursor === null) return;
    const before = rows ?? [];
    try {
      const { data, nextCursor = null } = await read({ cursor });
      setLater({ rows: [...before, ...data], cursor: nextCursor, error: undefined });
    } catch (error) {
      setLater({ rows: before, cursor, error });
    }
  };
  return {
    value: rows,
    error: first.error ?? later?.error,
    again: first.again,
    more: cursor === null ? undefined : more,
  };
}

/** The newest first page before what is older than its last row. Pure. */
export function joined<T extends { id: string }>(newest: readonly T[], known: readonly T[]): readonly T[] {
  const last = newest.at(-1);
  const place = known.findIndex(({ id }) => id === last?.id);
  return place < 0 ? newest : [...newest, ...known.slice(place + 1)];
}

/** Repeats a call, and makes it when the tab is looked at again. A hidden tab asks nothing; no two calls overlap. */
function useFresh(call: () => Promise<void>, isFresh: boolean): void {
  useEffect(() => {
    if (!isFresh) return undefined;
    let isUnderWay = false;
    const run = (): void => {
      if (document.hidden || isUnderWay) return;
      isUnderWay = true;
      void call().finally(() => (isUnderWay = false));
    };
    const timer = setInterval(run, FRESH_MS);
    document.addEventListener('visibilitychange', run);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', run);
    };
  }, [call, isFresh]);
}
