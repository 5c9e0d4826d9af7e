import { ok, problem, warning, type Finding } from './finding.js';

/** Seconds. A server's Date header is accurate to about a second, and a slow answer adds to the error. */
const SUSPICIOUS = 5;
/** Seconds. Webhook signatures are valid for five minutes, encrypted cards for fifteen. */
const HARMFUL = 60;

/** Compares our clock with another server's. */
export function checkClock(whose: string, aheadSeconds: number): Finding {
  const check = 'clock';
  const off = Math.abs(aheadSeconds);
  const remedy =
    'Keep this machine’s time by NTP (chrony, systemd-timesyncd). Time zones do not matter: everything is UTC.';
  const message = `${whose} is ${off.toFixed(0)} s ${aheadSeconds > 0 ? 'ahead of' : 'behind'} this clock.`;
  if (off <= SUSPICIOUS) return ok(check, `This clock agrees with ${whose}.`);
  return off <= HARMFUL ? warning(check, message, remedy) : problem(check, message, remedy);
}
