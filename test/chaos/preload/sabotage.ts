import { registerHooks } from 'node:module';
import { WITHOUT } from './without-mend.ts';

/**
 * Builds that break a promise on purpose, made while the service's modules are loaded: what the audit must catch.
 * Each appends to a module of the built service.
 */
export const SABOTAGES = {
  /** The intent is committed after the gateway was called, as a service without recovery would do it. */
  'intent-after-call': {
    module: 'payments/operations/engine.js',
    code: `{
      const { tryBegin, send } = Engine.prototype;
      Engine.prototype.tryBegin = async function (...all) {
        if (all[0].type !== 'pay') return tryBegin.apply(this, all);
        const { writer, clock } = this.store;
        let wanted, held;
        const later = { clock, writer: { write: (look, decide) => writer.write(look, (snapshot) => {
          const decision = decide(snapshot);
          wanted = look;
          held = decision.changes;
          return { changes: {}, result: decision.result };
        }) } };
        const keyed = Object.create(this.keyed, { store: { value: later } });
        const begun = await tryBegin.apply(Object.create(this, { keyed: { value: keyed } }), all);
        if (begun.kind === 'begun')
          begun.keepLate = () => writer.write({ ...wanted, createReference: true }, () => ({ changes: held, result: undefined }));
        return begun;
      };
      Engine.prototype.send = async function (command, begun) {
        const result = await send.call(this, command, begun);
        await begun.keepLate?.();
        return result;
      };
    }`,
  },
  /** A call whose outcome is unknown is simply made again. */
  'sends-again': {
    module: 'gateway/transport/transport.js',
    code: `{
      const send = Transport.prototype.send;
      Transport.prototype.send = async function (request) {
        const first = await send.call(this, request);
        return first.kind === 'unknown' ? send.call(this, request) : first;
      };
    }`,
  },
  /** Events are written after the move, in a commit of their own. */
  'events-apart': {
    module: 'store/payment-writer.js',
    code: `{
      const write = PaymentWriter.prototype.write;
      PaymentWriter.prototype.write = async function (wanted, decide) {
        let events;
        const result = await write.call(this, wanted, (snapshot) => {
          const decision = decide(snapshot);
          events = decision.changes.events;
          return { changes: { ...decision.changes, events: [] }, result: decision.result };
        });
        if (events?.length) await write.call(this, { reference: wanted.reference }, () => ({ changes: { events }, result: undefined }));
        return result;
      };
    }`,
  },
  /** A notification is answered before it is stored. */
  'notification-unstored': {
    module: 'notifications/notifications.repository.js',
    code: `{
      const keep = NotificationsRepository.prototype.keep;
      NotificationsRepository.prototype.keep = function (...all) {
        setTimeout(() => keep.apply(this, all).catch(() => undefined), 300);
        return Promise.resolve();
      };
    }`,
  },
  /** The key of a request is forgotten: whoever asks again pays again. */
  'keys-forgotten': {
    module: 'idempotency/idempotency.js',
    replace: [/export function isReplay\([^)]*\) \{/, '$& return false;'],
  },
  ...WITHOUT,
} as const satisfies Record<string, Sabotage>;

interface Sabotage {
  module: string;
  code?: string;
  replace?: readonly [RegExp, string];
}

export type SabotageName = keyof typeof SABOTAGES;

/** Lets the modules that are loaded from now on be those of the sabotaged build. */
export function sabotage(name: SabotageName): void {
  const { module, code = '', replace }: Sabotage = SABOTAGES[name];
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(`/dist/${module}`)) return loaded;
      const source = Buffer.from(loaded.source as Uint8Array).toString('utf8');
      const changed = replace ? source.replace(...replace) : source;
      if (replace && changed === source) throw new Error(`The sabotage ${name} no longer fits ${module}`);
      return { ...loaded, source: `${changed}\n${code}` };
    },
  });
}
