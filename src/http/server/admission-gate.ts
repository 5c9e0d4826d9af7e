import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Admission, type Admitted, type Load } from '../limits/admission.js';
import { Problem } from '../problems/problem.js';
import { edgeRule } from '../request/edge-route.js';

/** Seconds after which a refused caller may come again, spread so that not all come at once. */
const RETRY_AFTER = { least: 1, most: 3 };

const admitted = new WeakMap<FastifyRequest, () => void>();

/**
 * To be called when what the request begins has been committed: from then on it waits for the gateway, not for this process. Does nothing
 * for requests that the gate does not count.
 */
export function intended(request: FastifyRequest): void {
  admitted.get(request)?.();
}

/**
 * Refuses new payments early, before anything is recorded and nearly always before their body is read, where more wait than can be
 * answered in time. Counts only routes that say what load they are (`EdgeRule.load`): never notifications, payers who come back, reads
 * or health checks.
 */
export class AdmissionGate {
  readonly #admission = new Admission();
  readonly #listeners: ((load: Load) => void)[] = [];

  /** Calls `listener` for each request that is refused. */
  onShed(listener: (load: Load) => void): void {
    this.#listeners.push(listener);
  }

  /** Refuses a request before its body is read. */
  readonly onRequest = (
    request: FastifyRequest,
    _reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ): void => {
    const { load } = edgeRule(request);
    if (load !== undefined && this.#admission.refuses(load, performance.now())) done(this.#refusal(load));
    else done();
  };

  /**
   * Counts a request once its body is there, or refuses it. A caller who sends slowly waits for nobody here: it must take no place
   * in the line, nor hold it up for all others.
   */
  readonly preValidation = (
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ): void => {
    const { load } = edgeRule(request);
    if (load === undefined || reply.raw.closed) {
      done();
      return;
    }
    const entry = this.#admission.admit(load, performance.now());
    if (entry) this.#watch(entry, request, reply);
    done(entry ? undefined : this.#refusal(load));
  };

  #refusal(load: Load): Problem {
    for (const listener of this.#listeners) listener(load);
    const { least, most } = RETRY_AFTER;
    return new Problem('overloaded', 'The service is overloaded. Nothing was started; try again.', {
      retryAfterSeconds: least + Math.floor(Math.random() * (most - least + 1)),
    });
  }

  #watch(entry: Admitted, request: FastifyRequest, reply: FastifyReply): void {
    admitted.set(request, () => {
      this.#admission.passed(entry, performance.now());
    });
    // Emitted once for every response, also where the caller has left.
    reply.raw.once('close', () => {
      this.#admission.ended(entry);
    });
  }
}
