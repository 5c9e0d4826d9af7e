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

class Check {
  readonly faults: Fault[] = [];
  readonly #kept: ReadonlySet<string>;

  constructor(private readonly profile: Profile) {
    const calls = callsOf(profile);
    const keeps = [...calls, { place: '/notification', call: profile.notification }];
    this.#kept = new Set(keeps.flatMap(({ call }) => Object.keys(call?.keep ?? {})));
    for (const { place, call } of keeps)
      for (const name of Object.keys(call?.keep ?? {}))
        if (name in WORDS || isSealedWord(name))
          this.#report(`${place}/keep/${name}`, 'is a word of its own: rename it');
    for (const { name, place, call, isBefore } of calls) {
      this.#checkCall(name, place, call);
      this.#checkAnswer(`${place}/answer`, call.answer ?? {});
      if (!isBefore && name !== 'listUssdBanks') this.#checkDeciding(name, place, call);
    }
    this.#checkAnswer('/answer', profile.answer);
    this.#checkCredentials();
    this.#checkNotification();
    this.#checkRest(calls.map(({ call }) => call));
    checkSettlement(profile.settlement, (place, why) => this.#report(place, why));
  }

  #report(place: string, why: string): void {
    this.faults.push({ place, why });
  }

  #checkCall(name: string, place: string, call: CallProfile): void {
    const { credentials = {}, encryption } = this.profile;
    this.#checkMethod(place, call, /^\//);
    const words = partsOf(call).map(({ word }) => word);
    if (call.encrypt !== undefined && !encryption)
      this.#report(`${place}/encrypt`, 'needs encryption, which the profile lacks');
    else if (call.encrypt !== undefined && !words.some(isSealedWord))
      this.#report(
        `${place}/encrypt`,
        'is sent nowhere: write {ciphertext} or {sealed} into body, form or query',
      );
    if (typeof call.credentials === 'string' && !Object.hasOwn(credentials, call.credentials))
      this.#report(
        `${place}/credentials`,
        `is no set of credentials; possible are ${Object.keys(credentials).join(', ')}`,
      );
    for (const { spot, place: below, text } of textsOf(call))
      this.#checkText(place + writePointer(below), below.at(-1) ?? '', text, spot, name, call);
  }

  #checkMethod(
    place: string,
    call: Pick<CallProfile, 'get' | 'post' | 'put' | 'body' | 'form'>,
    begins: RegExp,
  ): void {
    const [method, ...others] = (['get', 'post', 'put'] as const).filter((one) => call[one] !== undefined);
    if (method === undefined || others.length > 0)
      return this.#report(place, 'must have one of get, post, put');
    if (!begins.test(call[method] ?? ''))
      this.#report(`${place}/${method}`, 'must begin with a slash, below GATEWAY_BASE_URL');
    if (method === 'get' && (call.body || call.form))
      this.#report(place, 'is a get with a body: put its fields into the query');
    if (call.body && call.form) this.#report(place, 'must have one of body and form');
  }

  /** A text of a request: its braces, and each word by where it stands. */
  #checkText(
    at: string,
    key: string,
    text: string,
    spot: Spot,
    operation: string,
    call?: CallProfile,
    besides: readonly string[] = [],
  ): void {
    for (const part of this.#templateOf(at, text)) {
      if ('text' in part || ('word' in part && besides.includes(part.word))) continue;
      const why =
        'pointer' in part
          ? 'has a pointer, and there is no answer yet'
          : this.#whyNot(part.word, spot, operation, call);
      if (why !== undefined) this.#report(at, why);
    }
    if (looksLikeCredential(key, text, spot)) this.#report(at, PLAIN_SIGHT);
  }

  #templateOf(at: string, text: string): readonly Part[] {
    const template = parseTemplate(text);
    if (typeof template !== 'string') return template;
    this.#report(at, template);
    return [];
  }

  /** Why a word cannot stand where it does. */
  #whyNot(word: string, spot: Spot, operation: string, call: CallProfile | undefined): string | undefined {
    const has = `has {${word}}`;
    if (isSealedWord(word)) {
      const { encryption } = this.profile;
      if (call?.encrypt === undefined) return `${has}, and the call has no encrypt`;
      if (!['body', 'form', 'query'].includes(spot))
        return `${has}, which stands in body, form and query only`;
      const isGiven = !encryption || !['iv', 'tag'].includes(word) || ivAndTagOf(encryption).includes(word);
      return isGiven ? undefined : `${has}, which ${encryption.scheme} does not give`;
    }
    const { of, kind } = (Object.hasOwn(WORDS, word) ? WORDS[word] : undefined) ?? {
      of: this.#kept.has(word) ? undefined : [],
    };
    if (of && !(of as readonly string[]).includes(operation)) return `${has}, ${this.#possible(operation)}`;
    if (kind === 'secret' && !IN_CLEAR.includes(spot))
      return `${has}, which stands in body, form, query and encrypt only`;
    if (kind === 'secret' && call?.encrypt !== undefined && spot !== 'encrypt')
      return `${has} in clear beside encrypt`;
    if (kind === 'credential' && spot === 'path') return `${has}, which stands in no path`;
    if (word === 'token' && !this.profile.token) return `${has}, and the profile has no token`;
    return word === 'signature' && spot !== 'credentials'
      ? `${has}, which stands in a set with sign only`
      : undefined;
  }

  #possible(operation: string): string {
    const own = Object.entries(WORDS).filter(
      ([, { of }]) => !of || (of as readonly string[]).includes(operation),
    );
    return `which is no word here; possible are ${[...own.map(([word]) => word), ...this.#kept].join(', ')}`;
  }

  /** An operation whose answers nothing decides has an unknown outcome for ever, and a query about nothing is about any payment. */
  #checkDeciding(name: string, place: string, call: CallProfile): void {
    const { answer } = this.profile;
    if (listOf(call.answer?.status ?? answer.status).length === 0)
      this.#report(`${place}/answer/status`, 'is missing, here and in /answer');
    if (wordsIn(answer).length + wordsIn(call.answer ?? {}).length === 0)
      this.#report(`${place}/answer/words`, 'is missing, here and in /answer');
    if (call.answer?.readStatuses && isStart(name))
      this.#report(`${place}/answer/readStatuses`, 'cannot stand on a start');
    const names = partsOf(call).some(
      ({ word }) => this.#kept.has(word) || WORDS[word]?.kind === 'identifier',
    );
    if (name.endsWith('Status') && !names)
      this.#report(place, 'names no payment: it needs {client_ref}, {transactionRef} or a kept value');
  }

  #checkAnswer(place: string, answer: AnswerProfile): void {
    this.#checkMeanings(`${place}/words`, Object.entries(answer.words ?? {}));
    for (const status of answer.readStatuses ?? [])
      if ([401, 403, 429].includes(status))
        this.#report(`${place}/readStatuses`, `has ${status}, which never says anything about a payment`);
    const fields = typeof answer.redirectFields === 'object' ? answer.redirectFields : {};
    const texts = Object.entries(fields).map(
      ([name, text]) => [`${place}/redirectFields${writePointer([name])}`, text] as const,
    );
    for (const [at, text] of [
      ...listOf(answer.redirectUrl).map((text) => [`${place}/redirectUrl`, text] as const),
      ...texts,
    ]) {
      if (text.startsWith('/') && !parsePointer(text)) this.#report(at, 'is a bad pointer: write /data/url');
      for (const part of text.startsWith('/') ? [] : this.#templateOf(at, text))
        if (
          'word' in part &&
          !this.#kept.has(part.word) &&
          (WORDS[part.word]?.kind ?? 'identifier') !== 'identifier'
        )
          this.#report(at, `has {${part.word}}, ${this.#possible('')}`);
        else if ('word' in part && !this.#kept.has(part.word) && !(part.word in WORDS))
          this.#report(at, `has {${part.word}}, ${this.#possible('')}`);
    }
  }

  /** One word cannot mean two things. */
  #checkMeanings(place: string, lists: [name: string, words: readonly unknown[] | undefined][]): void {
    const seen = new Map<string, string>();
    for (const [name, words = []] of lists)
      for (const word of words.map((one) => String(one).trim().toLowerCase())) {
        const other = seen.get(word) ?? name;
        if (other !== name)
          this.#report(`${place}/${name}`, `has "${word}", which is a word of ${other} too`);
        seen.set(word, name);
      }
  }

  #checkCredentials(): void {
    const { credentials = {}, token } = this.profile;
    for (const [name, { sign, ...headers }] of Object.entries(credentials)) {
      const place = `/credentials${writePointer([name])}`;
      const words = Object.values(headers)
        .flatMap(partsIn)
        .map(({ word }) => word);
      for (const [header, text] of Object.entries(headers))
        this.#checkText(place + writePointer([header]), header, text, 'credentials', '');
      if (words.includes('signature') !== (sign !== undefined))
        this.#report(place, 'must have {signature} and sign together');
      if (sign)
        this.#checkText(`${place}/sign/over`, '', sign.over, 'sign', '', undefined, [
          'method',
          'path',
          'body',
        ]);
    }
    if (!token) return;
    this.#checkMethod('/token', token, /^(?:\/|https:\/\/[^/])/i);
    for (const key of ['get', 'post', 'put', 'headers', 'body', 'form'] as const)
      for (const [below, text] of textsIn(token[key], [key])) {
        const at = `/token${writePointer(below)}`;
        this.#checkText(at, below.at(-1) ?? '', text, key === 'headers' ? 'credentials' : 'body', '');
        if (partsIn(text).some(({ word }) => word === 'token' || word === 'signature'))
          this.#report(at, 'needs what it makes');
      }
  }

  #checkNotification(): void {
    const { reference, transactionRef, signature, answer } = this.profile.notification ?? { reference: '/' };
    if (listOf(reference).length + listOf(transactionRef).length === 0)
      this.#report('/notification/reference', 'is missing, as is transactionRef: no payment could be found');
    for (const [below, text] of textsIn(answer?.body, ['answer', 'body'])) {
      const at = `/notification${writePointer(below)}`;
      if (this.#templateOf(at, text).some((part) => 'word' in part))
        this.#report(at, 'has a word, and only pointers stand here, such as {/id}');
    }
    if (!signature) return;
    const place = '/notification/signature';
    const { scheme, header, at, over = '' } = signature;
    if ((header === undefined) === (at === undefined)) this.#report(place, 'must have one of header and at');
    if (scheme === 'header-secret' && over !== '')
      this.#report(`${place}/over`, 'means nothing: the secret itself is carried');
    if (over.startsWith('/') && !parsePointer(over))
      this.#report(`${place}/over`, 'is a bad pointer: write /data');
    const template = over.startsWith('/') ? [] : this.#templateOf(`${place}/over`, over);
    const words = template.flatMap((part) => ('word' in part ? [part.word] : []));
    for (const word of words)
      if (word !== 'secret')
        this.#report(
          `${place}/over`,
          `has {${word}}, which is no word here; possible are secret and pointers`,
        );
    if (scheme === 'sha512' && !words.includes('secret'))
      this.#report(`${place}/over`, 'must have {secret}: without it anybody could sign');
  }

  #checkRest(calls: readonly CallProfile[]): void {
    const { operations, pinWithCard = [], encryption, declines = {} } = this.profile;
    if (calls.length === 0) this.#report('/operations', 'is empty: there is nothing that the gateway can do');
    const asksPin = partsOf(operations.payCard).some(({ word }) => word === 'card_pin');
    if (pinWithCard.length > 0 && !asksPin) this.#report('/pinWithCard', 'needs {card_pin} in payCard');
    if (encryption && calls.every(({ encrypt }) => encrypt === undefined))
      this.#report('/encryption', 'is used by no encrypt');
    if (encryption?.scheme === 'aes-256-cbc' && encryption.ivBytes === 12)
      this.#report('/encryption/ivBytes', 'must be 16 with aes-256-cbc');
    this.#checkMeanings('/declines', Object.entries(declines));
  }
}
