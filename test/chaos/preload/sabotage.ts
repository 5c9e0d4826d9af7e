import { registerHooks } from 'node:module';

/**
 * Builds that break a promise on purpose, made while the service's modules are loaded: what the audit must catch.
 * Each appends to a module of the built service.
 */
export const SABOTAGES = {
  /** The intent is committed after the gateway was called, as a service without recovery would do it. */
  'intent-after-call': {
    module: 'payments/operations/start-payment.js',
    code: `{
      const begin = StartPayment.prototype.begin;
      StartPayment.prototype.begin = async function (...all) {
        const { writer, owner, clock } = this.store;
        let wanted, held;
        const later = { owner, clock, writer: { write: (look, decide) => writer.write(look, (snapshot) => {
          const decision = decide(snapshot);
          wanted = look;
          held = decision.changes;
          return { changes: {}, result: decision.result };
        }) } };
        const begun = await begin.apply(Object.create(this, { store: { value: later } }), all);
        if (begun.kind !== 'begun') return begun;
        const send = begun.initiation.send;
        begun.initiation.send = async (...call) => {
          const result = await send(...call);
          await writer.write({ ...wanted, createReference: true }, () => ({ changes: held, result: undefined }));
          return result;
        };
        return begun;
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
    code: '',
  },
} as const satisfies Record<string, Sabotage>;

interface Sabotage {
  module: string;
  code: string;
  replace?: readonly [RegExp, string];
}

export type SabotageName = keyof typeof SABOTAGES;

/** Lets the modules that are loaded from now on be those of the sabotaged build. */
export function sabotage(name: SabotageName): void {
  const { module, code, replace }: Sabotage = SABOTAGES[name];
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
