import type { DeviceData } from './types.js';

/** The colour depths of EMV 3-D Secure. */
const COLOR_DEPTHS = [1, 4, 8, 15, 16, 24, 32, 48];
const LONGEST_LANGUAGE = 8;
const LONGEST_USER_AGENT = 2048;

/** Describes this browser in the values that banks take for 3-D Secure. Nothing in it names the payer. */
export function collectDeviceData(): DeviceData {
  return {
    javaEnabled: javaEnabled(),
    language: deviceLanguage(navigator.languages.length > 0 ? navigator.languages : [navigator.language]),
    screenHeight: Math.round(screen.height),
    screenWidth: Math.round(screen.width),
    colorDepth: emvColorDepth(screen.colorDepth),
    timeZone: timeZoneName(),
    userAgent: navigator.userAgent.slice(0, LONGEST_USER_AGENT),
  };
}

/** Real browsers also report 30, which becomes EMV's next lower depth. */
export function emvColorDepth(depth: number): number {
  return COLOR_DEPTHS.findLast((known) => known <= depth) ?? 24;
}

/** The first language, shortened to language and region if the whole tag is longer than banks accept; `en` if it is no tag. */
export function deviceLanguage(languages: readonly string[]): string {
  const first = languages.find((language) => language.length > 0) ?? 'en';
  try {
    const { language, region } = new Intl.Locale(first);
    if (first.length <= LONGEST_LANGUAGE) return first;
    const short = region === undefined ? language : `${language}-${region}`;
    return short.length <= LONGEST_LANGUAGE ? short : language;
  } catch {
    return 'en';
  }
}

function javaEnabled(): boolean {
  try {
    return typeof navigator.javaEnabled === 'function' && navigator.javaEnabled();
  } catch {
    return false;
  }
}

function timeZoneName(): string {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined;
  return name === undefined || name === 'Etc/Unknown' ? 'UTC' : name;
}
