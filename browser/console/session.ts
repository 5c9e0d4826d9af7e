import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Searches } from './searches.js';
import type { Caller, Changes, Service } from './service.js';

/** What every page of a signed-in person works with. */
export interface Session {
  service: Service;
  caller: Caller;
  changes: Changes;
  searches: Searches;
  /** Shows words at the top of the page and has screen readers say them. */
  announce: (words: string) => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('nobody is signed in');
  return session;
}

/** Whether the key may change payments. */
export function mayAct({ access }: Caller): boolean {
  return access === 'full';
}

/** Whether the key may upload reports and work on differences. */
export function mayKeepBooks({ access }: Caller): boolean {
  return access !== 'read';
}

/** Whether the key may search, and read approvals, events and the audit. */
export function mayReadAll({ access }: Caller): boolean {
  return access !== 'books';
}
