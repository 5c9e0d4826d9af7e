import type { Secret } from '../../secrets/secret.js';
import { readKept, readText, scalarText } from '../answer/values.js';
import type { Pointer } from '../profile/pointer.js';
import { foldCase, type Meaning, type Profile } from '../profile/schema.js';
import { choose, templateOf } from '../profile/template.js';
import { contentOf, type Content, type RawNotification } from './content.js';
import { compileSignature } from './signature.js';

/** What a notification names. It is a hint and never proof. */
export interface Named {
  /** `client_ref`. */
  readonly reference?: string;
  /** The gateway's own name: it counts among those that are known. */
  readonly transactionRef?: string;
  /** What it claims, where it says one thing. */
  readonly claim?: Meaning;
  readonly kept: Record<string, string>;
}

export interface Notification {
  /** Signed as the profile says; undefined where it says nothing, so that the service's own rules for the secret apply. */
  readonly isSigned: boolean | undefined;
  readonly named: readonly Named[];
  /** What the gateway is answered. */
  readonly answer: { readonly status: number; readonly body?: unknown };
}

/** No reference is longer. */
const MAX_REFERENCE = 255;
/** No notification carries more payments. */
const MAX_ITEMS = 1_000;

/** Compiles how notifications are read. */
export function compileNotifications(
  profile: Profile,
  secrets: readonly Secret[],
): (raw: RawNotification) => Notification {
  const { notification = {} } = profile;
  const { reference: references, transactionRef: transactions, keep = {}, items } = notification;
  const statuses = notification.status ?? profile.answer.status ?? [];
  const verify = notification.signature && compileSignature(notification.signature);
  const answerBody = notification.answer?.body;

  const nameOf = (content: Content): Named => {
    const name = (pointers: readonly Pointer[] = []): string | undefined =>
      pointers
        .map((pointer) => readText(content.at(pointer)))
        .find((found) => found !== undefined && found.length <= MAX_REFERENCE);
    const words = statuses.map((pointer) => foldCase(readText(content.at(pointer)) ?? ''));
    const claims = new Set(words.flatMap((word) => profile.answer.words?.get(word) ?? []));
    const [claim] = claims.size === 1 ? claims : [];
    const reference = name(references);
    const transactionRef = name(transactions);
    return {
      ...(reference !== undefined && { reference }),
      ...(transactionRef !== undefined && { transactionRef }),
      ...(claim && { claim }),
      kept: readKept(keep, (pointer) => content.at(pointer)),
    };
  };

  return (raw) => {
    const whole = contentOf(raw);
    const contents = whole ? entriesOf(whole, items) : [];
    const isTrue = (content: Content | undefined): boolean =>
      secrets.some((secret) => verify?.(raw, content, secret.unwrap()) ?? false);
    return {
      isSigned: verify && (contents.length > 0 ? contents.every(isTrue) : isTrue(undefined)),
      named: contents.map(nameOf),
      answer: {
        status: notification.answer?.status ?? 200,
        ...(answerBody !== undefined && { body: fill(answerBody, whole) }),
      },
    };
  };
}

/** The notification itself, or those of the first list that it has. */
function entriesOf(whole: Content, items: readonly Pointer[] | undefined): Content[] {
  if (!items) return [whole];
  const lists = items.map((pointer) => whole.entriesAt(pointer));
  return lists.find((list) => list.length > 0)?.slice(0, MAX_ITEMS) ?? [];
}

/** A sample of the gateway's, filled with what came. */
function fill(sample: unknown, content: Content | undefined): unknown {
  if (typeof sample === 'string') {
    const parts = templateOf(sample).map((part) => {
      if ('text' in part) return part.text;
      return 'pointer' in part ? (choose(part, content?.at(part.pointer)) ?? '') : '';
    });
    const [only] = parts;
    return parts.length === 1 && ['string', 'number', 'boolean'].includes(typeof only)
      ? only
      : parts.map((part) => scalarText(part) ?? '').join('');
  }
  if (typeof sample !== 'object' || sample === null) return sample;
  if (Array.isArray(sample)) return sample.map((one) => fill(one, content));
  return Object.fromEntries(Object.entries(sample).map(([name, one]) => [name, fill(one, content)]));
}
