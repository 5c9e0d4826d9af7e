import { h } from '../element/dom.js';
import type { Approval } from './api.js';
import { approvalWords, personOf } from './approval-words.js';
import { confirm, labelled } from './confirm-dialog.js';
import type { MerchantApi } from './merchant-api.js';

/** The buttons that decide an approval, or why this person may not. `decided` gets what happened, in words. */
export function approvalButtons(
  api: MerchantApi,
  approval: Approval,
  decided: (words: string) => void,
): HTMLElement {
  const why = whyNot(api, approval);
  if (why !== undefined) return h('p', { class: 'muted' }, why);
  const words = approvalWords(approval);
  const button = (label: string, decision: 'approve' | 'decline', kind: string): HTMLElement =>
    h(
      'button',
      {
        ...{ type: 'button', class: kind },
        'aria-label': `${label} ${words}`,
        onclick: () => ask(api, approval, decision, decided),
      },
      label,
    );
  return h(
    'div',
    { class: 'buttons' },
    button('Approve', 'approve', 'primary'),
    button('Decline', 'decline', ''),
  );
}

function whyNot(api: MerchantApi, approval: Approval): string | undefined {
  if (!api.mayAct) return 'This key may not approve.';
  if (approval.askedBy === api.caller.actor) return 'You asked for it: another person must approve it.';
  if (api.caller.actor === 'merchant') return 'Sign in with a named key to approve it.';
  return undefined;
}

function ask(
  api: MerchantApi,
  approval: Approval,
  decision: 'approve' | 'decline',
  decided: (words: string) => void,
): void {
  const note = h('textarea', { name: 'note', rows: 2, maxlength: 500 });
  const isApproval = decision === 'approve';
  const words = approvalWords(approval);
  confirm({
    title: `${isApproval ? 'Approve' : 'Decline'}: ${words}?`,
    content: [
      h(
        'p',
        {},
        `${personOf(approval.askedBy)} asked for it${approval.reason === null ? '' : `: “${approval.reason}”`}. `,
        isApproval ? 'It is done at once, and cannot be undone.' : 'Nothing is done then.',
      ),
      labelled('Note', note, 'Optional. Write no card or personal data.'),
    ],
    action: () => (isApproval ? 'Approve' : 'Decline'),
    run: async () => {
      await api.decide(approval, decision, note.value.trim());
      decided(`${isApproval ? 'Approved' : 'Declined'}. ${words}.`);
    },
  });
}
