import { mayKeepAs } from '../../plan/words.js';
import { parseTemplate, wordsIn } from '../../templates/template.js';
import type { NotificationProfile } from '../format.js';
import { parsePointer, escapeStep, NOT_A_POINTER, type Report } from '../pointer.js';
import { checkJsonTemplate, checkTemplate, type TemplateRules } from './check-template.js';

const OVER: TemplateRules = { words: new Set(['secret']), pointers: true };
const ANSWER: TemplateRules = { words: new Set(), pointers: true };

/** Reports faults in how notifications are read, checked and answered. */
export function checkNotification(notification: NotificationProfile, report: Report): void {
  for (const key of ['reference', 'status'] as const) {
    for (const [index, name] of (notification[key] ?? []).entries()) {
      if (name.startsWith('/') && !parsePointer(name)) report(`/notification/${key}/${index}`, NOT_A_POINTER);
    }
  }
  checkSignature(notification.signature, '/notification/signature', report);
  checkKeep(notification.keep ?? {}, '/notification/keep', report);
  const { body } = notification.answer ?? {};
  if (body !== undefined) checkJsonTemplate(body, '/notification/answer/body', ANSWER, report);
}

function checkSignature(
  { scheme, at = 'header', over = 'body' }: NotificationProfile['signature'],
  place: string,
  report: Report,
): void {
  if (at !== 'header' && (at === '' || !parsePointer(at))) {
    report(`${place}/at`, `${NOT_A_POINTER}, nor "header"`);
  }
  const isTemplate = over !== 'body' && !over.startsWith('/');
  if (isTemplate) checkTemplate(over, `${place}/over`, OVER, report);
  else if (over !== 'body' && !parsePointer(over)) report(`${place}/over`, NOT_A_POINTER);
  if (over !== 'body' && (scheme === 'none' || scheme === 'header-secret')) {
    report(`${place}/over`, 'names what is signed, and this scheme signs nothing');
  }
  if (scheme === 'sha512' && !(isTemplate && hasSecret(over))) {
    report(`${place}/over`, 'must be a template with {secret}: without it anybody could make this hash');
  }
}

function hasSecret(text: string): boolean {
  const template = parseTemplate(text);
  return typeof template === 'object' && wordsIn(template).includes('secret');
}

/** Reports names and pointers of `keep` that cannot be used. */
export function checkKeep(keep: Readonly<Record<string, string>>, place: string, report: Report): void {
  for (const [name, pointer] of Object.entries(keep)) {
    const at = `${place}/${escapeStep(name)}`;
    if (!mayKeepAs(name)) {
      report(
        at,
        'is a name that a kept value cannot have: letters, digits and _, and no word that means something else',
      );
    }
    if (pointer === '' || !parsePointer(pointer)) report(at, NOT_A_POINTER);
  }
}
