export type Child = Node | string | undefined | false;

/**
 * Attributes by their HTML names. `on…` members are listeners. `false` and `undefined` omit an attribute, `true` sets it to
 * empty.
 */
export type Attributes = Readonly<
  Record<string, string | number | boolean | undefined | ((event: Event) => void)>
>;

/** Creates an element. Text always becomes text nodes, so nothing from a server can become markup. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

let describedCount = 0;

/** Lets assistive technology read these texts with an element that takes the focus. */
export function describe(element: HTMLElement, texts: readonly (Child | null)[]): void {
  const ids = texts
    .filter((text) => text instanceof HTMLParagraphElement)
    .map((text) => (text.id ||= `tillfront-text-${++describedCount}`));
  if (ids.length > 0) element.setAttribute('aria-describedby', ids.join(' '));
}

/** The same for SVG. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) if (child !== undefined && child !== false) element.append(child);
}
