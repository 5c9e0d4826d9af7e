import { partsOf } from '../encryption.js';
import { isStart, wordsIn } from '../answer/reader.js';
import { isSealedWord, SEALED_WORDS, WORDS } from '../request/words.js';
import { checkSettlement } from './check-settlement.js';
import { looksLikeCredential } from './credential-names.js';
import type { Fault } from './fault.js';
import { parsePointer, writePointer } from './pointer.js';
import { listOf, type AnswerProfile, type CallProfile, type Profile } from './schema.js';
import { parseTemplate, textsIn, type Part } from './template.js';
import { callsOf, partsIn, textsOf, type Spot } from './uses.js';

type Report = (place: string, why: string) => void;

/** Everything that is wrong with a profile and that its form does not show. */
export function findFaults(profile: Profile): Fault[] {
  const faults: Fault[] = [];
  const report: Report = (place, why) => void faults.push({ place, why });
  const kept = keptNames(profile, report);
  const calls = callsOf(profile);
  if (calls.length === 0) report('/operations', 'is empty: there is nothing that the gateway can do');
  for (const { name, place, call, isBefore } of calls) {
    checkCall(profile, call, place, report);
    checkTexts(profile, { name, place, call, kept }, report);
    if (name !== 'listUssdBanks' && !isBefore) checkDeciding(profile, name, call, place, report);
    if (call.answer) checkAnswer(call.answer, `${place}/answer`, kept, report);
    if (call.answer?.readStatuses && isStart(name) && !isBefore)
      report(`${place}/answer/readStatuses`, 'cannot stand on a start: what it refuses, it refuses');
  }
  checkAnswer(profile.answer, '/answer', kept, report);
  checkQueries(profile, report);
  checkCredentials(profile, kept, report);
  checkNotification(profile, report);
  checkSettlement(profile.settlement, report);
  checkRest(
    profile,
    calls.map(({ call }) => call),
    report,
  );
  return faults;
}

/** The names that `keep` gives, each as a word everywhere. */
function keptNames(profile: Profile, report: Report): ReadonlySet<string> {
  const places = [
    ...callsOf(profile).map(({ place, call }) => [place, call.keep] as const),
    ['/notification', profile.notification?.keep] as const,
  ];
  const names = places.flatMap(([place, keep]) =>
    Object.keys(keep ?? {}).map((name) => [`${place}/keep/${name}`, name] as const),
  );
  for (const [place, name] of names)
    if (Object.hasOwn(WORDS, name) || isSealedWord(name))
      report(place, 'is a word of its own: give it another name');
  return new Set(names.map(([, name]) => name));
}

function checkCall(profile: Profile, call: CallProfile, place: string, report: Report): void {
  checkMethod(call, place, report);
  const sealed = wordsOfCall(call).some(isSealedWord);
  if (call.encrypt !== undefined && !profile.encryption)
    report(`${place}/encrypt`, 'needs encryption, which the profile lacks');
  else if (call.encrypt !== undefined && !sealed)
    report(
      `${place}/encrypt`,
      `is sent nowhere: write ${braced(['ciphertext', 'sealed'])} into body, form or query`,
    );
  if (typeof call.credentials === 'string' && !Object.hasOwn(profile.credentials ?? {}, call.credentials))
    report(
      `${place}/credentials`,
      `is no set of credentials; possible are ${Object.keys(profile.credentials ?? {}).join(', ')}`,
    );
  if (!profile.token && wordsOfCall(call).includes('token'))
    report(place, 'uses {token}, and the profile has no token');
}

/** The words of a call's own texts. */
function wordsOfCall(call: CallProfile): string[] {
  return textsOf(call).flatMap(({ text }) => partsIn(text).map(({ word }) => word));
}

function checkMethod(
  call: Pick<CallProfile, 'get' | 'post' | 'put' | 'body' | 'form'>,
  place: string,
  report: Report,
  isAbsolute = false,
): void {
  const methods = (['get', 'post', 'put'] as const).filter((method) => call[method] !== undefined);
  const [method] = methods;
  if (methods.length !== 1 || method === undefined) return report(place, 'must have one of get, post, put');
  const address = call[method] ?? '';
  if (!address.startsWith('/') && !(isAbsolute && /^https:\/\/[^/]/i.test(address)))
    report(`${place}/${method}`, 'must begin with a slash: it stands below GATEWAY_BASE_URL');
  if (method === 'get' && (call.body || call.form))
    report(place, 'is a get with a body: put its fields into the query');
  if (call.body && call.form) report(place, 'must have one of body and form');
}

interface PlacedCall {
  readonly name: string;
  readonly place: string;
  readonly call: CallProfile;
  readonly kept: ReadonlySet<string>;
}

/** Every text of a call: its braces, and each word by where it stands. */
function checkTexts(profile: Profile, { name, place, call, kept }: PlacedCall, report: Report): void {
  for (const { spot, place: below, text } of textsOf(call)) {
    const at = place + writePointer(below);
    const template = parseTemplate(text);
    if (typeof template === 'string') report(at, template);
    else for (const part of template) checkPart(profile, part, { at, spot, name, call, kept }, report);
    if (looksLikeCredential(below.at(-1) ?? '', text, spot)) report(at, PLAIN_SIGHT);
  }
}

const PLAIN_SIGHT = 'looks like a credential in plain sight: write {apiKey} or {accessToken} in its place';

interface Where {
  readonly at: string;
  readonly spot: Spot;
  readonly name: string;
  readonly call?: CallProfile;
  readonly kept: ReadonlySet<string>;
}

function checkPart(
  profile: Profile,
  part: Part,
  { at, spot, name, call, kept }: Where,
  report: Report,
): void {
  if ('text' in part) return;
  if ('pointer' in part) return report(at, 'has a pointer, and there is no answer yet');
  const { word } = part;
  if (isSealedWord(word)) {
    if (call?.encrypt === undefined) report(at, `has {${word}}, and the call has no encrypt`);
    else if (!['body', 'form', 'query'].includes(spot))
      report(at, `has {${word}}, which stands in body, form and query only`);
    else if (
      profile.encryption &&
      ['iv', 'tag'].includes(word) &&
      !partsOf(profile.encryption).includes(word)
    )
      report(at, `has {${word}}, which ${profile.encryption.scheme} does not give`);
    return;
  }
  const known = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  const isHere = known ? !known.of || (known.of as readonly string[]).includes(name) : kept.has(word);
  if (!isHere)
    return report(
      at,
      `has {${word}}, which is no word here; possible are ${possible(name, kept).join(', ')}`,
    );
  if (known?.kind === 'secret') {
    if (!['body', 'form', 'query', 'encrypt'].includes(spot))
      report(at, `has {${word}}, which stands in body, form, query and encrypt only`);
    else if (call?.encrypt !== undefined && spot !== 'encrypt')
      report(at, `has {${word}} in clear beside encrypt`);
  }
  if (known?.kind === 'credential' && spot === 'path') report(at, `has {${word}}, which stands in no path`);
  if (word === 'signature' && spot !== 'credentials')
    report(at, 'has {signature}, which stands in the headers of a set with sign only');
}

/** The words that a text of an operation may have. */
function possible(name: string, kept: ReadonlySet<string>): string[] {
  const own = Object.entries(WORDS).filter(([, { of }]) => !of || (of as readonly string[]).includes(name));
  return [...own.map(([word]) => word), ...kept];
}

/** An operation whose answers nothing can decide has an unknown outcome for ever. */
function checkDeciding(
  profile: Profile,
  name: string,
  call: CallProfile,
  place: string,
  report: Report,
): void {
  const answer = { ...profile.answer, ...call.answer };
  if (listOf(answer.status).length === 0) report(`${place}/answer/status`, 'is missing, here and in /answer');
  const words = [...wordsIn(profile.answer), ...wordsIn(call.answer ?? {})];
  if (words.length === 0)
    report(`${place}/answer/words`, `is missing, here and in /answer: nothing decides about ${name}`);
}

function checkAnswer(answer: AnswerProfile, place: string, kept: ReadonlySet<string>, report: Report): void {
  const seen = new Map<string, string>();
  for (const [word, meaning] of wordsIn(answer)) {
    const other = seen.get(word);
    if (other !== undefined && other !== meaning)
      report(`${place}/words/${meaning}`, `has "${word}", which is a word of ${other} too`);
    seen.set(word, meaning);
  }
  for (const status of answer.readStatuses ?? [])
    if ([401, 403, 429].includes(status))
      report(`${place}/readStatuses`, `has ${status}, which never says anything about a payment`);
  const fields = typeof answer.redirectFields === 'object' ? answer.redirectFields : {};
  const texts: [string, string][] = [
    ...listOf(answer.redirectUrl).map((text): [string, string] => [`${place}/redirectUrl`, text]),
    ...Object.entries(fields).map(([name, text]): [string, string] => [
      `${place}/redirectFields${writePointer([name])}`,
      text,
    ]),
  ];
  for (const [at, text] of texts) {
    if (text.startsWith('/')) {
      if (!parsePointer(text)) report(at, 'is a bad pointer: write /data/url (RFC 6901)');
      continue;
    }
    const template = parseTemplate(text);
    if (typeof template === 'string') report(at, template);
    else
      for (const part of template) {
        if (!('word' in part)) continue;
        const known = Object.hasOwn(WORDS, part.word) ? WORDS[part.word] : undefined;
        if ((!known || known.kind === 'secret' || known.kind === 'credential') && !kept.has(part.word))
          report(
            at,
            `has {${part.word}}, which is no word here; possible are ${possible('', kept).join(', ')}`,
          );
      }
  }
}

/** A query that names no payment would be about any. */
function checkQueries(profile: Profile, report: Report): void {
  for (const name of ['transactionStatus', 'transferUssdStatus', 'refundStatus'] as const) {
    const call = profile.operations[name];
    if (!call) continue;
    const names = wordsOfCall(call).some((word) =>
      Object.hasOwn(WORDS, word) ? WORDS[word]?.kind === 'identifier' : !isSealedWord(word),
    );
    if (!names)
      report(
        `/operations/${name}`,
        'names no payment: it needs {client_ref}, {transactionRef} or a kept value',
      );
  }
}

function checkCredentials(
  { credentials = {}, token, ...profile }: Profile,
  kept: ReadonlySet<string>,
  report: Report,
): void {
  for (const [name, { sign, ...headers }] of Object.entries(credentials)) {
    const place = `/credentials${writePointer([name])}`;
    for (const [header, text] of Object.entries(headers)) {
      const at = place + writePointer([header]);
      const words = checkCredentialText(profile, text, at, kept, report);
      if (words.includes('signature') && !sign) report(at, 'has {signature}, and the set has no sign');
      if (words.includes('token') && !token) report(at, 'has {token}, and the profile has no token');
      if (looksLikeCredential(header, text, 'credentials')) report(at, PLAIN_SIGHT);
    }
    const isUsed = Object.values(headers).some((text) =>
      partsIn(text).some(({ word }) => word === 'signature'),
    );
    if (sign && !isUsed)
      report(`${place}/sign`, 'is sent nowhere: write {signature} into a header of the set');
    if (sign)
      checkCredentialText(profile, sign.over, `${place}/sign/over`, kept, report, ['method', 'path', 'body']);
  }
  if (!token) return;
  checkMethod(token, '/token', report, true);
  const texts = (['get', 'post', 'put', 'headers', 'body', 'form'] as const).flatMap((key) =>
    textsIn(token[key], [key]),
  );
  for (const [below, text] of texts) {
    const at = `/token${writePointer(below)}`;
    const words = checkCredentialText(profile, text, at, kept, report);
    if (words.includes('token') || words.includes('signature')) report(at, 'needs what it makes');
    const spot = below[0] === 'headers' ? 'credentials' : 'body';
    if (looksLikeCredential(below.at(-1) ?? '', text, spot)) report(at, PLAIN_SIGHT);
  }
}

/** A text of credentials: any word that every call has, and no secret. Returns its words. */
function checkCredentialText(
  profile: Pick<Profile, 'encryption'>,
  text: string,
  at: string,
  kept: ReadonlySet<string>,
  report: Report,
  besides: readonly string[] = [],
): string[] {
  const template = parseTemplate(text);
  if (typeof template === 'string') {
    report(at, template);
    return [];
  }
  for (const part of template)
    if (!('word' in part) || !besides.includes(part.word))
      checkPart(profile as Profile, part, { at, spot: 'credentials', name: '', kept }, report);
  return template.flatMap((part) => ('word' in part ? [part.word] : []));
}

function checkNotification({ notification }: Profile, report: Report): void {
  if (!notification) return;
  const { reference, transactionRef, signature, answer } = notification;
  if (listOf(reference).length + listOf(transactionRef).length === 0)
    report('/notification/reference', 'is missing, as is transactionRef: no payment could be found');
  for (const [below, text] of textsIn(answer?.body, ['answer', 'body'])) {
    const template = parseTemplate(text);
    if (typeof template === 'string') report(`/notification${writePointer(below)}`, template);
    else if (template.some((part) => 'word' in part))
      report(
        `/notification${writePointer(below)}`,
        'has a word, and there are only pointers here, such as {/id}',
      );
  }
  if (!signature) return;
  const place = '/notification/signature';
  if ((signature.header === undefined) === (signature.at === undefined))
    report(place, 'must have one of header and at');
  const over = signature.over ?? '';
  if (signature.scheme === 'header-secret' && over !== '')
    report(`${place}/over`, 'means nothing: the secret itself is carried');
  const isPointer = over.startsWith('/');
  if (isPointer && !parsePointer(over)) report(`${place}/over`, 'is a bad pointer: write /data (RFC 6901)');
  const template = isPointer ? [] : parseTemplate(over);
  if (typeof template === 'string') return report(`${place}/over`, template);
  const words = template.flatMap((part) => ('word' in part ? [part.word] : []));
  for (const word of words)
    if (word !== 'secret')
      report(`${place}/over`, `has {${word}}, which is no word here; possible are secret and pointers`);
  if (signature.scheme === 'sha512' && !words.includes('secret'))
    report(`${place}/over`, 'must have {secret}: without it anybody could sign');
}

function checkRest(profile: Profile, calls: readonly CallProfile[], report: Report): void {
  const { pinWithCard = [], encryption, declines = {} } = profile;
  const payCard = profile.operations.payCard;
  const asksPin = [payCard, payCard?.before].some((call) => call && wordsOfCall(call).includes('card_pin'));
  if (pinWithCard.length > 0 && !asksPin) report('/pinWithCard', 'needs {card_pin} in payCard');
  if (encryption && calls.every(({ encrypt }) => encrypt === undefined))
    report('/encryption', 'is used by no encrypt');
  if (encryption?.scheme === 'aes-256-cbc' && encryption.ivBytes === 12)
    report('/encryption/ivBytes', 'must be 16 with aes-256-cbc');
  const reasons = new Map<string, string>();
  for (const [reason, words] of Object.entries(declines))
    for (const word of words ?? []) {
      const folded = String(word).trim().toLowerCase();
      if ((reasons.get(folded) ?? reason) !== reason)
        report(`/declines/${reason}`, `has "${folded}", which is a word of ${reasons.get(folded)} too`);
      reasons.set(folded, reason);
    }
}

function braced(words: readonly (typeof SEALED_WORDS)[number][]): string {
  return words.map((word) => `{${word}}`).join(' or ');
}
