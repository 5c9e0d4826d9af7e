import 'reflect-metadata';
import { validateSync } from 'class-validator';
import { isMetadata } from '../../../src/checkout/create-session.dto.js';
import { parseAnswer } from '../../../src/gateway/answers/answer-json.js';
import {
  readAmount,
  readCurrency,
  readFields,
  readMessage,
  readText,
  readTime,
} from '../../../src/gateway/answers/answer-values.js';
import { defaultProfile } from '../../../src/gateway/profile/default-profile.js';
import { readRetryAfter } from '../../../src/gateway/answers/http-status.js';
import { linearPattern } from '../../../src/gateway/answers/linear-pattern.js';
import { notificationReference } from '../../../src/gateway/notifications/notification-profile.js';
import { parsePointer } from '../../../src/gateway/profile/pointer.js';
import { isSafeRedirect } from '../../../src/gateway/answers/redirect-reader.js';
import { clientAddress } from '../../../src/http/request/client-address.js';
import { idempotencyKey } from '../../../src/idempotency/idempotent.js';
import { problemInstance } from '../../../src/http/problems/problem.js';
import { chooseRequestId, targetPath } from '../../../src/http/request/request.js';
import { parseStrictJson } from '../../../src/http/body/strict-json.js';
import { isCardNumber } from '../../../src/card-numbers/card-brand.js';
import {
  IsDecimalAmount,
  isEmailAddress,
  IsLanguageTag,
  IsPhone,
  isReturnUrl,
} from '../../../src/http/validation/validators.js';
import { oneLine, typedEmail, typedPhone } from '../../../src/http/validation/typed-text.js';
import { parseMajor } from '../../../src/money/money.js';
import { accessOf } from '../../../src/notifications/notification-access.js';
import { EchoFinder } from '../../../src/payments/interpret/echoed.js';
import { cleanMessage } from '../../../src/payments/interpret/payer-message.js';
import { readCursor } from '../../../src/payments/api/payment-filter.js';
import { scrub, scrubDocument, scrubLine } from '../../../src/telemetry/scrub.js';
import { isSecretName } from '../../../src/telemetry/secret-names.js';

/** The rules of a body's fields that are told as decorators only. */
class Fields {
  @IsPhone() phone: unknown;
  @IsLanguageTag() language: unknown;
  @IsDecimalAmount() amount: unknown;

  constructor(text: string) {
    this.phone = this.language = this.amount = text;
  }
}

const pattern = linearPattern('^(?:[a-z]+[ :]?)*(x|y)+$');
if (typeof pattern === 'string') throw new Error(pattern);
const echoes = new EchoFinder(['5060990580000217499', '111', '4821', 'Ada Obi', 'ada@home.example']);
const payer = ['Ada', 'Obi', 'ada@home.example', '+2348012345678', 'a:a:', '((((', '1111'];

/** Everything that reads a text of a stranger or of the gateway. What refuses one by throwing has read it too. */
export const textReaders: Readonly<Record<string, (text: string) => unknown>> = {
  'the scrubber': scrub,
  'the scrubber, a document': scrubDocument,
  'the scrubber, a line': (text) => scrubLine(`{"msg":${JSON.stringify(text)}}\n`),
  'a secret name': isSecretName,
  'strict JSON': (text) => parseStrictJson(Buffer.from(text)),
  "the gateway's JSON": parseAnswer,
  "the gateway's values": (text) => [
    readAmount(text, 'major', 'NGN'),
    readCurrency(text),
    readFields({ [text]: text }),
    readMessage(text),
    readText(text),
    readTime(text),
  ],
  "a notification's reference": (text) =>
    notificationReference(defaultProfile.notification, Buffer.from(text)),
  "a notification's reference, a form": (text) =>
    notificationReference(defaultProfile.notification, Buffer.from(`a=${text}`)),
  "a profile's pattern": pattern,
  'a JSON pointer': (text) => parsePointer(`/${text}`),
  'Retry-After': (text) => readRetryAfter(text, 0),
  'a redirect address': (text) => isSafeRedirect(`https://${text}`, 'test'),
  'a return address': (text) => isReturnUrl(`https://shop.example/${text}`),
  'an address with its port': (text) => clientAddress({ ip: text, socket: {} }),
  'an authorization header': (text) =>
    accessOf(
      defaultProfile.notification,
      { secret: 'a secret of the test', needed: true },
      { headers: { authorization: `Bearer ${text}` }, pathSecret: text, body: Buffer.alloc(0) },
    ),
  'an idempotency key': (text) => idempotencyKey({ headers: { 'idempotency-key': text } } as never),
  'a request id': (text) => chooseRequestId({ headers: { 'x-request-id': text, traceparent: text } }),
  'a request target': (text) => [targetPath(text), problemInstance(`/v1/${text}`)],
  'an e-mail address': isEmailAddress,
  "a body's fields": (text) => validateSync(new Fields(text)),
  'a typed text': oneLine,
  'a typed phone': typedPhone,
  'a typed e-mail': typedEmail,
  metadata: (text) => isMetadata({ [text]: text }),
  'a card number': isCardNumber,
  'an amount': (text) => parseMajor(text, 'NGN'),
  'a cursor': readCursor,
  "a gateway's words": (text) => cleanMessage(text, payer, new EchoFinder(['4821'])),
  'what a gateway repeats': (text) => echoes.isIn(text),
};

/** Runs a reader; a refusal is a result, a range error (a stack that ran out) is none. */
export function readBy(reader: (text: string) => unknown, text: string): void {
  try {
    reader(text);
  } catch (error) {
    if (error instanceof RangeError) throw error;
  }
}
