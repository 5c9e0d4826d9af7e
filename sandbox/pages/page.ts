import { randomBytes } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 34rem; padding: 2rem 1rem; }
main { border: 1px solid #8886; border-radius: .75rem; padding: 1.5rem; }
h1 { font-size: 1.4rem; margin-top: 0; } h2 { font-size: 1.15rem; }
.amount { font-size: 2rem; font-weight: 600; margin: .5rem 0; }
.note { border-left: 4px solid #b36b00; padding-left: .75rem; }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 1rem 0 0; }
button { font: inherit; min-height: 2.75rem; padding: 0 1.25rem; border-radius: .5rem; border: 1px solid #0a5c36; background: #0a5c36; color: #fff; cursor: pointer; }
button.second { background: transparent; color: inherit; border-color: #888; }
button:focus-visible, input:focus-visible { outline: 3px solid #3b82f6; outline-offset: 2px; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .2rem .75rem .2rem 0; vertical-align: top; }
label { display: block; } input { font: inherit; min-height: 2.5rem; padding: 0 .5rem; max-width: 10rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; } dt { opacity: .75; } dd { margin: 0; overflow-wrap: anywhere; }
section + section { border-top: 1px solid #8886; margin-top: 1.5rem; padding-top: 1.5rem; }
`;

export interface Page {
  html: string;
  /** Its Content-Security-Policy. */
  policy: string;
}

/** Text escaped for use in an element or an attribute. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A page of the sandbox; `main` is HTML. No `form-action`: browsers apply it to the redirect back to the shop too. */
export function page(title: string, main: string, script = ''): Page {
  const nonce = randomBytes(16).toString('base64');
  return {
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · sandbox</title><style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>${escape(title)}</h1>
<p class="note">This is a sandbox. No real money moves here.</p>
${main}</main>${script === '' ? '' : `<script nonce="${nonce}">${script}</script>`}</body></html>`,
    policy: `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
  };
}

/** `1500.00` in a form that is easy to read. */
export function readable(amount: string, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
    amount as `${number}`,
  );
}
