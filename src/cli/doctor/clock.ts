import { ok, problem, warning, type Finding } from './finding.js';

/** Seconds. What servers tell is good to about a second, and a slow answer adds to it. */
const SUSPICIOUS = 5;
/** Seconds. Webhook signatures hold for five minutes, encrypted cards for fifteen. */
const HARMFUL = 60;

/** Compares our clock with somebody else's. */
export function judgeClock(whose: string, aheadSeconds: number): Finding {
  const check = 'clock';
  const off = Math.abs(aheadSeconds);
  const remedy =
    'Let this machine keep its time by NTP (chrony, systemd-timesyncd), and check the time zone of nothing: all is UTC.';
  const message = `${whose} is ${off.toFixed(0)} s ${aheadSeconds > 0 ? 'ahead of' : 'behind'} this clock.`;
  if (off <= SUSPICIOUS) return ok(check, `This clock agrees with ${whose}.`);
  return off <= HARMFUL ? warning(check, message, remedy) : problem(check, message, remedy);
}
