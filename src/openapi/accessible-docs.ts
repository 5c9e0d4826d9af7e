/**
 * What Swagger UI lacks for people who see little contrast, or hear the page. Its own texts keep their places: these are colours, names
 * and levels. `test/http/api-docs.spec.ts` looks for what is still wrong.
 */

/** Colours that can be read on theirs, buttons that do not grow from nothing (WCAG 2.2 AA), and tables that fit a phone. */
export const ACCESSIBLE_STYLE = `.swagger-ui .info .title small { background: #59606d; }
.swagger-ui .info .title small.version-stamp { background: #3d6b00; }
.swagger-ui a, .swagger-ui .info a, .swagger-ui .info .url, .swagger-ui .link { color: #1b5fae; }
.swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { border-color: #14693d; color: #14693d; }
.swagger-ui .btn.authorize svg { fill: #14693d; }
.swagger-ui .btn.cancel { border-color: #b3261e; color: #b3261e; }
.swagger-ui .btn.execute { border-color: #1b5fae; background: #1b5fae; }
.swagger-ui .opblock .opblock-summary-method { background: #595959; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1b5fae; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #14693d; }
.swagger-ui .opblock .opblock-summary .view-line-link { transition: none; }
.swagger-ui .parameter__in, .swagger-ui .parameter__extension { color: #595959; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #4d4d4d; }
@media (max-width: 640px) {
  .swagger-ui .responses-table { table-layout: fixed; }
  .swagger-ui .responses-table .col_header, .swagger-ui .responses-table td { overflow-wrap: anywhere; }
  .swagger-ui .response-col_status { width: 4em; }
  .swagger-ui .response-col_links { display: none; }
}
`;

/** Names what is drawn without a name, again whenever something is drawn. */
export const ACCESSIBLE_SCRIPT = `const put = (selector, attributes) => {
  for (const element of document.querySelectorAll(selector))
    for (const [name, value] of Object.entries(attributes))
      if (value === null) element.removeAttribute(name);
      else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
};
const name = () => {
  put('.information-container', { role: 'region', 'aria-label': 'About this API' });
  put('.scheme-container', { role: 'region', 'aria-label': 'Server and credentials' });
  put('#servers', { 'aria-label': 'Server' });
  put('.examples-select-element', { 'aria-label': 'Example' });
  put('textarea.body-param__text', { 'aria-label': 'Request body' });
  put('.modal-ux', { role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Available authorizations' });
  put('.close-modal', { 'aria-label': 'Close' });
  put('.modal-btn', { 'aria-label': null });
  put('.responses-table', { role: null });
  put('pre.microlight', { tabindex: '0' });
  put('h3, .models > h4', { 'aria-level': '2' });
  put('.opblock h4, .modal-ux h4', { 'aria-level': '3' });
  put('h5', { 'aria-level': '4' });
};
new MutationObserver(name).observe(document.getElementById('api'), { childList: true, subtree: true });
`;
