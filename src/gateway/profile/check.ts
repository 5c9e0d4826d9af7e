import { isStart, wordsIn } from '../answer/reader.js';
import { ivAndTagOf } from '../encryption.js';
import { isSealedWord, WORDS } from '../request/words.js';
import { checkSettlement } from './check-settlement.js';
import { looksLikeCredential, PLAIN_SIGHT } from './credential-names.js';
import type { Fault } from './fault.js';
import { parsePointer, writePointer } from './pointer.js';
import { listOf, type AnswerProfile, type CallProfile, type Profile } from './schema.js';
import { parseTemplate, textsIn, type Part } from './template.js';
import { callsOf, partsIn, partsOf, textsOf, type Spot } from './uses.js';

/** Everything that is wrong with a profile and that its form does not show. */
export function findFaults(profile: Profile): Fault[] {
  return new Check(profile).faults;
}

const IN_CLEAR: readonly Spot[] = ['body', 'form', 'query', 'encrypt'];
const SEALED: readonly Spot[] = ['body', 'form', 'query'];
type Method = Pick<CallProfile, 'get' | 'post' | 'put' | 'body' | 'form'>;

/** A text of a request, and where it stands. */
interface Spotted {
  readonly key: string;
  readonly spot: Spot;
  readonly operation: string;
  readonly call?: CallProfile;
}

class Check {
  readonly faults: Fault[] = [];
  readonly #kept: ReadonlySet<string>;

  constructor(private readonly profile: Profile) {
    const calls = callsOf(profile);
    const keeps = [...calls, { place: '/notification', call: profile.notification }];
    const names = keeps.flatMap(({ place, call }) =>
      Object.keys(call?.keep ?? {}).map((name) => [place, name] as const),
    );
    this.#kept = new Set(names.map(([, name]) => name));
    for (const [place, name] of names)
      if (name in WORDS || isSealedWord(name))
        this.#say(`${place}/keep/${name}`, 'is a word of its own: rename it');
    for (const { name, place, call, isBefore } of calls) {
      this.#checkCall(name, place, call);
      this.#checkAnswer(`${place}/answer`, call.answer ?? {});
      if (!isBefore && name !== 'listUssdBanks') this.#checkDeciding(name, place, call);
    }
    this.#checkAnswer('/answer', profile.answer);
    this.#checkCredentials();
    this.#checkToken();
    this.#checkNotification();
    this.#checkRest(calls.map(({ call }) => call));
    checkSettlement(profile.settlement, (place, why) => this.#say(place, why));
  }

  #say(place: string, why: string): void {
    this.faults.push({ place, why });
  }

  #checkCall(operation: string, place: string, call: CallProfile): void {
    const { credentials = {}, encryption } = this.profile;
    this.#checkMethod(place, call, /^\//);
    const isSent = partsOf(call).some(({ word }) => isSealedWord(word));
    if (call.encrypt !== undefined && !encryption)
      this.#say(`${place}/encrypt`, 'needs encryption, which the profile lacks');
    else if (call.encrypt !== undefined && !isSent)
      this.#say(
        `${place}/encrypt`,
        'is sent nowhere: write {ciphertext} or {sealed} into body, form or query',
      );
    const sets = Object.keys(credentials);
    if (typeof call.credentials === 'string' && !sets.includes(call.credentials))
      this.#say(`${place}/credentials`, `is no set of credentials; possible are ${sets.join(', ')}`);
    for (const { spot, place: below, text } of textsOf(call))
      this.#checkText(place + writePointer(below), text, { key: below.at(-1) ?? '', spot, operation, call });
  }

  #checkMethod(place: string, call: Method, begins: RegExp): void {
    const [method, ...others] = (['get', 'post', 'put'] as const).filter((one) => call[one] !== undefined);
    if (!method || others.length > 0) return this.#say(place, 'must have one of get, post, put');
    const isBelow = begins.test(call[method] ?? '');
    if (!isBelow) this.#say(`${place}/${method}`, 'must begin with a slash, below GATEWAY_BASE_URL');
    if (method === 'get' && (call.body || call.form)) this.#say(place, 'is a get with a body: use the query');
    if (call.body && call.form) this.#say(place, 'must have one of body and form');
  }

  /** A text of a request: its braces, and each word by where it stands. */
  #checkText(at: string, text: string, spotted: Spotted, besides: readonly string[] = []): void {
    for (const part of this.#templateOf(at, text)) {
      if ('text' in part || ('word' in part && besides.includes(part.word))) continue;
      const why =
        'pointer' in part ? 'has a pointer, and there is no answer yet' : this.#whyNot(part.word, spotted);
      if (why !== undefined) this.#say(at, why);
    }
    if (looksLikeCredential(spotted.key, text, spotted.spot)) this.#say(at, PLAIN_SIGHT);
  }

  #templateOf(at: string, text: string): readonly Part[] {
    const template = parseTemplate(text);
    if (typeof template !== 'string') return template;
    this.#say(at, template);
    return [];
  }

  /** Why a word cannot stand where it does. */
  #whyNot(word: string, { spot, operation, call }: Spotted): string | undefined {
    const has = `has {${word}}`;
    if (isSealedWord(word)) {
      const { encryption } = this.profile;
      if (call?.encrypt === undefined) return `${has}, and the call has no encrypt`;
      if (!SEALED.includes(spot)) return `${has}, which stands in body, form and query only`;
      const isGiven = !encryption || !['iv', 'tag'].includes(word) || ivAndTagOf(encryption).includes(word);
      return isGiven ? undefined : `${has}, which ${encryption.scheme} does not give`;
    }
    const known = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
    const isHere = known
      ? !known.of || (known.of as readonly string[]).includes(operation)
      : this.#kept.has(word);
    if (!isHere) return `${has}, ${this.#possible(operation)}`;
    if (known?.kind === 'secret') {
      if (!IN_CLEAR.includes(spot)) return `${has}, which stands in body, form, query and encrypt only`;
      return call?.encrypt !== undefined && spot !== 'encrypt' ? `${has} in clear beside encrypt` : undefined;
    }
    if (known?.kind === 'credential' && spot === 'path') return `${has}, which stands in no path`;
    if (word === 'token' && !this.profile.token) return `${has}, and the profile has no token`;
    const isStray = word === 'signature' && spot !== 'credentials';
    return isStray ? `${has}, which stands in a set with sign only` : undefined;
  }

  #possible(operation: string): string {
    const own = Object.entries(WORDS).filter(([, { of = [operation] }]) =>
      (of as readonly string[]).includes(operation),
    );
    return `which is no word here; possible are ${[...own.map(([word]) => word), ...this.#kept].join(', ')}`;
  }

  /** An operation whose answers nothing decides has an unknown outcome for ever, and a query about nothing is about any payment. */
  #checkDeciding(name: string, place: string, call: CallProfile): void {
    const answer = { ...this.profile.answer, ...call.answer };
    const words = [...wordsIn(this.profile.answer), ...wordsIn(answer)];
    if (listOf(answer.status).length === 0)
      this.#say(`${place}/answer/status`, 'is missing, here and in /answer');
    if (words.length === 0) this.#say(`${place}/answer/words`, 'is missing, here and in /answer');
    const readsStatuses = call.answer?.readStatuses !== undefined;
    if (readsStatuses && isStart(name)) this.#say(`${place}/answer/readStatuses`, 'cannot stand on a start');
    const names = partsOf(call).some(
      ({ word }) => this.#kept.has(word) || WORDS[word]?.kind === 'identifier',
    );
    if (name.endsWith('Status') && !names)
      this.#say(place, 'names no payment: it needs {client_ref}, {transactionRef} or a kept value');
  }

  #checkAnswer(place: string, answer: AnswerProfile): void {
    this.#checkMeanings(`${place}/words`, Object.entries(answer.words ?? {}));
    for (const status of answer.readStatuses ?? [])
      if ([401, 403, 429].includes(status))
        this.#say(`${place}/readStatuses`, `has ${status}, which never says anything`);
    const fields = Object.entries(typeof answer.redirectFields === 'object' ? answer.redirectFields : {});
    for (const text of listOf(answer.redirectUrl)) this.#checkRedirect(`${place}/redirectUrl`, text);
    for (const [name, text] of fields)
      this.#checkRedirect(`${place}/redirectFields${writePointer([name])}`, text);
  }

  /** A pointer, or a text with words that are no secret and no credential. */
  #checkRedirect(at: string, text: string): void {
    if (text.startsWith('/'))
      return parsePointer(text) ? undefined : this.#say(at, 'is a bad pointer: write /data/url');
    for (const part of this.#templateOf(at, text)) {
      if (!('word' in part)) continue;
      const isKnown = this.#kept.has(part.word) || Object.hasOwn(WORDS, part.word);
      const { kind = 'identifier' } = WORDS[part.word] ?? {};
      if (!isKnown || kind !== 'identifier') this.#say(at, `has {${part.word}}, ${this.#possible('')}`);
    }
  }

  /** One word cannot mean two things. */
  #checkMeanings(place: string, lists: [name: string, words: readonly unknown[] | undefined][]): void {
    const seen = new Map<string, string>();
    for (const [name, words = []] of lists)
      for (const word of words.map((one) => String(one).trim().toLowerCase())) {
        const other = seen.get(word) ?? name;
        if (other !== name) this.#say(`${place}/${name}`, `has "${word}", which is a word of ${other} too`);
        seen.set(word, name);
      }
  }

  #checkCredentials(): void {
    for (const [name, { sign, ...headers }] of Object.entries(this.profile.credentials ?? {})) {
      const place = `/credentials${writePointer([name])}`;
      const isSigned = Object.values(headers)
        .flatMap(partsIn)
        .some(({ word }) => word === 'signature');
      if (isSigned !== (sign !== undefined)) this.#say(place, 'must have {signature} and sign together');
      for (const [key, text] of Object.entries(headers))
        this.#checkText(place + writePointer([key]), text, { key, spot: 'credentials', operation: '' });
      const signs: Spotted = { key: '', spot: 'sign', operation: '' };
      if (sign) this.#checkText(`${place}/sign/over`, sign.over, signs, ['method', 'path', 'body']);
    }
  }

  #checkToken(): void {
    const { token } = this.profile;
    if (!token) return;
    this.#checkMethod('/token', token, /^(?:\/|https:\/\/[^/])/i);
    for (const part of ['get', 'post', 'put', 'headers', 'body', 'form'] as const)
      for (const [below, text] of textsIn(token[part], [part])) {
        const at = `/token${writePointer(below)}`;
        const spot = part === 'headers' ? 'credentials' : 'body';
        this.#checkText(at, text, { key: below.at(-1) ?? '', spot, operation: '' });
        if (partsIn(text).some(({ word }) => ['token', 'signature'].includes(word)))
          this.#say(at, 'needs what it makes');
      }
  }

  #checkNotification(): void {
    const place = '/notification';
    const { reference, transactionRef, signature, answer } = this.profile.notification ?? { reference: '/' };
    const names = [...listOf(reference), ...listOf(transactionRef)];
    if (names.length === 0)
      this.#say(`${place}/reference`, 'is missing, as is transactionRef: no payment could be found');
    for (const [below, text] of textsIn(answer?.body, ['answer', 'body'])) {
      const at = place + writePointer(below);
      const hasWord = this.#templateOf(at, text).some((part) => 'word' in part);
      if (hasWord) this.#say(at, 'has a word, and only pointers stand here, such as {/id}');
    }
    if (!signature) return;
    const { scheme, header, at, over = '' } = signature;
    const say = (below: string, why: string): void => this.#say(`${place}/signature${below}`, why);
    if ((header === undefined) === (at === undefined)) say('', 'must have one of header and at');
    if (scheme === 'header-secret' && over !== '')
      say('/over', 'means nothing: the secret itself is carried');
    if (over.startsWith('/') && !parsePointer(over)) say('/over', 'is a bad pointer: write /data');
    const template = over.startsWith('/') ? [] : this.#templateOf(`${place}/signature/over`, over);
    const words = template.flatMap((part) => ('word' in part ? [part.word] : []));
    for (const word of words.filter((one) => one !== 'secret'))
      say('/over', `has {${word}}, which is no word here; possible are secret and pointers`);
    const isKeyed = scheme !== 'sha512' || words.includes('secret');
    if (!isKeyed) say('/over', 'must have {secret}: without it anybody could sign');
  }

  #checkRest(calls: readonly CallProfile[]): void {
    const { operations, pinWithCard = [], encryption, declines = {} } = this.profile;
    if (calls.length === 0) this.#say('/operations', 'is empty: there is nothing that the gateway can do');
    const asksPin = partsOf(operations.payCard).some(({ word }) => word === 'card_pin');
    if (pinWithCard.length > 0 && !asksPin) this.#say('/pinWithCard', 'needs {card_pin} in payCard');
    const isUsed = calls.some(({ encrypt }) => encrypt !== undefined);
    if (encryption && !isUsed) this.#say('/encryption', 'is used by no encrypt');
    const isShort = encryption?.scheme === 'aes-256-cbc' && encryption.ivBytes === 12;
    if (isShort) this.#say('/encryption/ivBytes', 'must be 16 with aes-256-cbc');
    this.#checkMeanings('/declines', Object.entries(declines));
  }
}
