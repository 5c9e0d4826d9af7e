import type { Appearance } from '../kit/types.js';

/** The merchant's colour on a light and on a dark page, and of text on each. */
export interface Accent {
  light: string;
  onLight: string;
  dark: string;
  onDark: string;
}

/** Gives the page the merchant's colour. */
export function appear(accent: Accent | null): void {
  if (accent === null) return;
  put('brand', accent.light);
  put('on-brand', accent.onLight);
  put('brand-dark', accent.dark);
  put('on-brand-dark', accent.onDark);
}

/**
 * Gives the frame what its shop wants. What is neither a colour nor a length is left out, and so is any address: the shop's
 * page may run scripts of anybody's.
 */
export function dress({ accent, radius, fontSize, dark }: Appearance, colorScheme: string): void {
  const { style } = document.documentElement;
  if (accent !== undefined && isPlain('color', accent)) {
    for (const name of ['brand', 'brand-dark']) put(name, accent);
    const onAccent = isBright(accent) ? '#000000' : '#ffffff';
    for (const name of ['on-brand', 'on-brand-dark']) put(name, onAccent);
  }
  if (radius !== undefined && isPlain('border-radius', radius)) put('radius', radius);
  if (fontSize !== undefined && isPlain('font-size', fontSize)) style.fontSize = fontSize;
  if (dark !== undefined) style.colorScheme = dark ? 'dark' : 'light';
  else style.colorScheme = /^(?:only |light|dark| )+$/.test(colorScheme) ? colorScheme : 'light';
}

function put(name: string, value: string): void {
  document.documentElement.style.setProperty(`--${name}`, value);
}

function isPlain(property: string, value: string): boolean {
  return !/url|image|var|attr/i.test(value) && CSS.supports(property, value);
}

/** Whether black is easier to read on the colour than white (WCAG's relative luminance). */
function isBright(color: string): boolean {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return false;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const parts = [...context.getImageData(0, 0, 1, 1).data].map((part) => (part / 255) ** 2.2);
  const [red = 0, green = 0, blue = 0] = parts;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
}
