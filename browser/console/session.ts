import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SignInDto } from '../generated/api.js';
import type { Field, Values } from './form.js';
import type { Changes, Service } from './service.js';

/** What is asked before something is done that cannot be undone. */
export interface Question {
  title: string;
  text?: readonly string[];
  fields?: readonly Field[];
  /** The label of the confirming button, which names the amount. */
  action: (values: Values) => string;
  /** Does it, and returns what happened in words. What it throws is shown, and the dialog stays open. */
  run: (values: Values) => Promise<string>;
}

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
  /** Another number whenever something was changed here: what is shown is then read again. */
  version: number;
  /** Has everything that is shown read again. */
  changed: () => void;
  /** Shows words at the top of the page and has screen readers say them. */
  announce: (words: string) => void;
  /** Opens a dialog. */
  ask: (question: Question) => void;
}

export const SessionContext = createContext({} as Session);

export function useSession(): Session {
  return useContext(SessionContext);
}
