import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SignInDto } from '../generated/api.js';
import type { Question } from './ask.js';
import type { Changes, Service } from './service.js';

/** What every page of a signed-in person works with. */
export interface Session {
  service: Service;
  caller: SignInDto;
  changes: Changes;
  /**
   * What was searched for since the sign-in. Addresses name a search by its place here: its words may be a payer's e-mail, and browsers
   * keep addresses.
   */
  searches: string[];
  /** Shows words at the top of the page and has screen readers say them. */
  announce: (words: string) => void;
  /** Opens a dialog. `again` reads anew what it changed. */
  ask: (question: Question, again: () => Promise<void>) => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('nobody is signed in');
  return session;
}
