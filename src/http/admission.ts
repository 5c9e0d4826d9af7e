import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Problem } from './problems/problem.js';
import { edgeRule, type Load } from './route.js';

/** How many requests may wait for their first commit. Steps are refused last. */
const MAX_WAITING: Readonly<Record<Load, number>> = { start: 256, step: 1_024 };

const waiting = new WeakMap<FastifyRequest, () => void>();

/** Call it when what the request begins is committed: from then on it waits for the gateway, not for this process. */
export function intended(request: FastifyRequest): void {
  waiting.get(request)?.();
}

/** Refuses new work before anything of it is recorded, where too much already waits for its commit. */
export class AdmissionGate {
  #waiting = 0;

  install(server: FastifyInstance): void {
    // Before the body is read, and again once it is there: a slow sender must take no place in the line.
    server.addHook('onRequest', (request, _reply, done) => {
      done(this.#refusal(request));
    });
    server.addHook('preValidation', this.#count);
  }

  #refusal(request: FastifyRequest): Problem | undefined {
    const { load } = edgeRule(request);
    if (load === undefined || this.#waiting < MAX_WAITING[load]) return undefined;
    return new Problem('overloaded', 'The service is overloaded. Nothing was started; try again.');
  }

  readonly #count = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const refusal = this.#refusal(request);
    if (!refusal && edgeRule(request).load !== undefined && !reply.raw.closed) {
      this.#waiting += 1;
      let counted = true;
      const leave = (): void => {
        if (counted) this.#waiting -= 1;
        counted = false;
      };
      waiting.set(request, leave);
      reply.raw.once('close', leave);
    }
    done(refusal);
  };
}
