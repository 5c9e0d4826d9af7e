import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Field, Problem } from './fields.js';
import { answer, connect, keyIn, Refused, type Caller, type Service } from './service.js';

interface SignInProps {
  baseUrl: string;
  /** Why the person was signed out, if they were. */
  note: string;
  entered: (service: Service, caller: Caller) => void;
}

/** Asks for a key and tries it. The key stays in this page's memory and disappears with it. */
export function SignIn({ baseUrl, note, entered }: SignInProps): JSX.Element {
  const [key, setKey] = useState('');
  const [error, setError] = useState<unknown>();
  const submit = async (): Promise<void> => {
    setError(undefined);
    const service = connect(baseUrl, keyIn(key));
    try {
      entered(service, await answer(service.POST('/v1/console/sign-ins', { body: {} })));
    } catch (problem) {
      const isKey = problem instanceof Refused && ['unauthorized', 'forbidden'].includes(problem.code);
      setError(isKey ? new Refused('unauthorized', 'This key is not accepted.') : problem);
    }
  };
  return (
    <form
      class="card sign-in stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h2>Sign in</h2>
      {note !== '' && (
        <p role="status" class="told">
          {note}
        </p>
      )}
      <p class="muted">Use a merchant, read or books key. It stays in this page and is gone when you close it.</p>
      <Field label="Merchant key" name="key">
        {(control) => (
          <input
            {...control}
            type="password"
            autocomplete="off"
            required
            ref={focusOnce}
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        )}
      </Field>
      <Problem error={error} />
      <button type="submit" class="primary">
        Sign in
      </button>
    </form>
  );
}

function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
}
