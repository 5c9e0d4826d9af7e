import { WORDS, wordOf } from '../request/words.js';
import { checkSettlement } from './check-settlement.js';
import { looksLikeCredential, PLAIN_SIGHT } from './credential-names.js';
import type { Fault } from './fault.js';
import { parsePointer, writePointer } from './pointer.js';
import { isStart, listOf, type AnswerProfile, type CallProfile, type Profile } from './schema.js';
import { parseTemplate, textsIn, type Part } from './template.js';
import { callsOf, methodsIn, partsIn, partsOf, textsOf, tokenCall, type Spot } from './uses.js';

/** Where words of a kind stand, if not everywhere. */
const SPOTS: Readonly<Record<string, readonly Spot[]>> = {
  secret: ['body', 'form', 'query', 'encrypt'],
  credential: ['query', 'body', 'form', 'encrypt', 'headers', 'credentials', 'sign'],
  sealed: ['body', 'form', 'query'],
  unsigned: ['sign'],
  signature: ['credentials'],
};

/** A text, and where it stands. Without an operation no operation's own words do. */
interface Spotted {
  readonly at: string;
  readonly text: string;
  readonly spot: Spot;
  readonly key?: string | undefined;
  readonly operation?: string;
  readonly call?: CallProfile;
}

/** Everything that is wrong with a profile and that its form does not show. */
export function findFaults(profile: Profile): Fault[] {
  return new Check(profile).faults;
}

class Check {
  readonly faults: Fault[] = [];
  readonly #kept: ReadonlySet<string>;

  constructor(private readonly profile: Profile) {
    const calls = callsOf(profile);
    const keeping = [...calls, { place: '/notification', call: profile.notification }];
    const kept = keeping.flatMap(({ place, call }) =>
      Object.keys(call?.keep ?? {}).map((name) => ({ name, place: `${place}/keep/${name}` })),
    );
    this.#kept = new Set(kept.map(({ name }) => name));
    for (const { name, place } of kept) this.#when(name in WORDS, place, 'is a word of its own: rename it');
    for (const { name, place, call, isBefore } of calls) {
      this.#checkCall(name, place, call);
      this.#checkRedirects(`${place}/answer`, call.answer ?? {}, name);
      if (!isBefore && name !== 'listUssdBanks') this.#checkDeciding(name, place, call);
    }
    this.#checkRedirects('/answer', profile.answer);
    this.#checkCredentials();
    this.#checkToken();
    this.#checkNotification();
    const { pinWithCard = [], operations } = profile;
    const asksPin = partsOf(operations.payCard).some(({ word }) => word === 'card_pin');
    this.#when(pinWithCard.length > 0 && !asksPin, '/pinWithCard', 'needs {card_pin} in payCard');
    checkSettlement(profile.settlement, (place, why) => this.#when(true, place, why));
  }

  #when(isWrong: boolean, place: string, why: string): void {
    if (isWrong) this.faults.push({ place, why });
  }

  #checkCall(operation: string, place: string, call: CallProfile): void {
    const { credentials = {}, encryption } = this.profile;
    this.#checkMethod(place, call);
    const isSent = partsOf(call).some(({ word }) => wordOf(word).kind === 'sealed');
    if (call.encrypt !== undefined) {
      this.#when(!encryption, `${place}/encrypt`, 'needs encryption, which the profile lacks');
      const nowhere = 'is sent nowhere: write {ciphertext} or {sealed} into body, form or query';
      this.#when(!isSent, `${place}/encrypt`, nowhere);
    }
    const sets = Object.keys(credentials);
    const isStrange = typeof call.credentials === 'string' && !sets.includes(call.credentials);
    const why = `is no set of credentials; possible are ${sets.join(', ')}`;
    this.#when(isStrange, `${place}/credentials`, why);
    for (const { place: below, ...text } of textsOf(call))
      this.#checkText({ ...text, at: place + writePointer(below), key: below.at(-1), operation, call });
  }

  #checkMethod(place: string, call: CallProfile): void {
    this.#when(methodsIn(call).length !== 1, place, 'must have one of get, post, put');
    const hasBody = call.get !== undefined && (call.body ?? call.form) !== undefined;
    this.#when(hasBody, place, 'is a get with a body: use the query');
    this.#when(!!call.body && !!call.form, place, 'must have one of body and form');
  }

  /** The braces of a text, and each word by where it stands. */
  #checkText(spotted: Spotted): void {
    const { at, text, key = '', spot } = spotted;
    for (const part of this.#templateOf(at, text)) {
      if ('word' in part) this.#checkWord(part.word, spotted);
      const isEarly = 'pointer' in part && spot !== 'redirect';
      this.#when(isEarly, at, 'has a pointer, and there is no answer yet');
    }
    this.#when(looksLikeCredential(key, text, spot), at, PLAIN_SIGHT);
  }

  #templateOf(at: string, text: string): readonly Part[] {
    const template = parseTemplate(text);
    if (typeof template !== 'string') return template;
    this.#when(true, at, template);
    return [];
  }

  /** Tells the first reason why a word cannot stand where it does. */
  #checkWord(word: string, { at, spot, operation = '', call }: Spotted): void {
    const { token, encryption: { scheme } = { scheme: 'aes-256-gcm' } } = this.profile;
    const isHere = (of: readonly string[] | undefined): boolean => !of || of.includes(operation);
    const known = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
    const { kind = '' } = known ?? {};
    const own = Object.entries(WORDS).filter(([, { of, kind: one = '' }]) => {
      return isHere(of) && (SPOTS[one]?.includes(spot) ?? true);
    });
    const possible = [...own.map(([name]) => name), ...this.#kept].join(', ');
    const reasons: [isWrong: boolean, why: string][] = [
      [
        known ? !isHere(known.of) : !this.#kept.has(word),
        `, which is no word here; possible are ${possible}`,
      ],
      [SPOTS[kind]?.includes(spot) === false, `, which stands in ${SPOTS[kind]?.join(', ')} only`],
      [kind === 'secret' && call?.encrypt !== undefined && spot !== 'encrypt', ' in clear beside encrypt'],
      [kind === 'sealed' && call?.encrypt === undefined, ', and the call has no encrypt'],
      [word === 'iv' && !scheme.startsWith('aes'), `, which ${scheme} does not make`],
      [word === 'tag' && scheme !== 'aes-256-gcm', `, which ${scheme} does not make`],
      [word === 'token' && !token, ' without token, which the profile lacks'],
    ];
    const why = reasons.find(([isWrong]) => isWrong)?.[1];
    this.#when(why !== undefined, at, `has {${word}}${why}`);
  }

  /** An operation whose answers nothing decides has an unknown outcome for ever, and a query about nothing is about any payment. */
  #checkDeciding(name: string, place: string, call: CallProfile): void {
    const { answer } = this.profile;
    const status = call.answer?.status ?? answer.status ?? [];
    const words = [...(answer.words?.keys() ?? []), ...(call.answer?.words?.keys() ?? [])];
    this.#when(status.length === 0, `${place}/answer/status`, 'is missing, here and in /answer');
    this.#when(words.length === 0, `${place}/answer/words`, 'is missing, here and in /answer');
    const readsStatuses = isStart(name) && call.answer?.readStatuses !== undefined;
    this.#when(readsStatuses, `${place}/answer/readStatuses`, 'cannot stand on a start');
    const isLost = name.endsWith('Status') && !partsOf(call).some(({ word }) => isName(word));
    const why = 'names no payment: it needs {client_ref}, {transactionRef} or a kept value';
    this.#when(isLost, place, why);
  }

  /** Addresses and fields of a form: pointers, or texts with words that are no secret and no credential. */
  #checkRedirects(place: string, { redirectUrl, redirectFields }: AnswerProfile, operation = ''): void {
    const fields = redirectFields && 'fields' in redirectFields ? redirectFields.fields : {};
    const urls = listOf(redirectUrl).map((text) => [['redirectUrl'], text] as const);
    for (const [below, text] of [...urls, ...textsIn(fields, ['redirectFields'])]) {
      const at = place + writePointer(below);
      if (!text.startsWith('/')) this.#checkText({ at, text, spot: 'redirect', operation });
      else this.#when(!parsePointer(text), at, 'is a bad pointer: write /data/url');
    }
  }

  #checkCredentials(): void {
    for (const [name, { sign, ...headers }] of Object.entries(this.profile.credentials ?? {})) {
      const place = `/credentials${writePointer([name])}`;
      const isSigned = Object.values(headers).flatMap(partsIn).some(isSignature);
      this.#when(isSigned !== !!sign, place, 'must have {signature} and sign together');
      for (const [key, text] of Object.entries(headers))
        this.#checkText({ at: place + writePointer([key]), text, key, spot: 'credentials' });
      if (sign) this.#checkText({ at: `${place}/sign/over`, text: sign.over, spot: 'sign' });
    }
  }

  #checkToken(): void {
    if (!this.profile.token) return;
    const call = tokenCall(this.profile.token);
    this.#checkMethod('/token', call);
    for (const { place, spot, text } of textsOf(call)) {
      const at = `/token${writePointer(place)}`;
      this.#checkText({ at, text, key: place.at(-1), spot });
    }
  }

  #checkNotification(): void {
    const { reference = [], transactionRef = [], signature, answer } = this.profile.notification ?? {};
    const isLost = this.profile.notification !== undefined && reference.length + transactionRef.length === 0;
    const why = 'is missing, as is transactionRef: no payment could be found';
    this.#when(isLost, '/notification/reference', why);
    for (const [below, text] of textsIn(answer?.body, ['notification', 'answer', 'body'])) {
      const hasWord = this.#templateOf(writePointer(below), text).some((part) => 'word' in part);
      const only = 'has a word, and only pointers stand here, such as {/id}';
      this.#when(hasWord, writePointer(below), only);
    }
    if (!signature) return;
    const { scheme, header, at, over } = signature;
    const place = '/notification/signature';
    this.#when((header === undefined) === (at === undefined), place, 'must have one of header and at');
    for (const text of over === undefined ? [''] : listOf(over))
      this.#checkOver(`${place}/over`, text, scheme === 'sha512');
  }

  #checkOver(place: string, over: string, needsSecret: boolean): void {
    const isPointer = over.startsWith('/');
    this.#when(isPointer && !parsePointer(over), place, 'is a bad pointer: write /data');
    const template = isPointer ? [] : this.#templateOf(place, over);
    const words = template.flatMap((part) => ('word' in part ? [part.word] : []));
    for (const word of words.filter((one) => one !== 'secret'))
      this.#when(true, place, `has {${word}}, which is no word here; possible are secret and pointers`);
    const isOpen = needsSecret && !words.includes('secret');
    this.#when(isOpen, place, 'must have {secret}: without it anybody could sign');
  }
}

function isName(word: string): boolean {
  return wordOf(word).kind === 'identifier';
}

function isSignature({ word }: { readonly word: string }): boolean {
  return word === 'signature';
}
