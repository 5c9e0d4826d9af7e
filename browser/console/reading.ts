import { useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from './session.js';

const FRESH_MS = 15_000;

/** What was read from the service. */
export interface Reading<T> {
  value?: T;
  error?: unknown;
}

/**
 * Reads something, and again when anything was changed here or `input` is another; now and then, too, if it shall be fresh.
 * An older answer never replaces a newer one.
 */
export function useRead<T>(read: () => Promise<T>, isFresh = false, input?: unknown): Reading<T> {
  const { version } = useSession();
  const [state, setState] = useState<Reading<T>>({});
  const latest = useRef(read);
  latest.current = read;
  const turn = useRef(0);
  const isBusy = useRef(false);
  const again = async (): Promise<void> => {
    const mine = ++turn.current;
    isBusy.current = true;
    const end = await latest.current().then(
      (value) => ({ value, error: undefined }),
      (error: unknown) => ({ error }),
    );
    if (mine !== turn.current) return;
    isBusy.current = false;
    setState((before) => ({ ...before, ...end }));
  };
  useEffect(() => void again(), [version, input]);
  useEffect(() => {
    if (!isFresh) return undefined;
    const timer = setInterval(() => document.hidden || isBusy.current || void again(), FRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return state;
}

/** Where a page of a list begins; nothing for the first. */
export interface At {
  cursor?: string;
}

/** One page of a list. */
export interface PageOf<T> {
  data: T[];
  nextCursor?: string | null;
}

/** A list as far as it was asked for. */
export interface Listing<T> extends Reading<readonly T[]> {
  /** Asks for the next page; undefined at the end. */
  more: (() => void) | undefined;
}

/** Reads a list page by page. */
export function useList<T>(read: (at: At) => Promise<PageOf<T>>, isFresh = false): Listing<T> {
  const [pages, setPages] = useState(1);
  const readAll = async (): Promise<{ rows: T[]; isMore: boolean }> => {
    const rows: T[] = [];
    let cursor: string | null = '';
    for (let page = 0; page < pages && cursor !== null; page++) {
      const { data, nextCursor }: PageOf<T> = await read(cursor === '' ? {} : { cursor });
      rows.push(...data);
      cursor = nextCursor ?? null;
    }
    return { rows, isMore: cursor !== null };
  };
  const { value, error } = useRead(readAll, isFresh, pages);
  const more = value?.isMore ? (): void => setPages(pages + 1) : undefined;
  return { error, more, ...(value && { value: value.rows }) };
}
