import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { SignInDto } from '../generated/api.js';
import { Form, type Field, type Values } from './form.js';
import { answer, connect, keyIn, Refused, type Service } from './service.js';

interface SignInProps {
  baseUrl: string;
  /** Why the person was signed out, if they were. */
  note: string;
  entered: (service: Service, caller: SignInDto) => void;
}

const KEY: Field = {
  ...{ name: 'key', label: 'Merchant key', kind: 'password' },
  hint: 'A merchant, read or books key. It stays in this page.',
};

/** Asks for a key and tries it. The key stays in this page's memory and disappears with it. */
export function SignIn({ baseUrl, note, entered }: SignInProps): JSX.Element {
  useEffect(() => document.querySelector('input')?.focus(), []);
  const run = async ({ key = '' }: Values): Promise<void> => {
    const service = connect(baseUrl, keyIn(key));
    try {
      entered(service, await answer(service.POST('/v1/console/sign-ins', { body: {} })));
    } catch (error) {
      const isKey = error instanceof Refused && ['unauthorized', 'forbidden'].includes(error.code);
      throw isKey ? new Refused('unauthorized', 'This key is not accepted.') : error;
    }
  };
  return (
    <main class="sign-in stack">
      <h2>Sign in</h2>
      <p role="status" class="told">
        {note}
      </p>
      <Form {...{ fields: [KEY], action: 'Sign in', label: 'Sign in', run }} />
    </main>
  );
}
