import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { edgeRule } from '../request/edge-route.js';
import { Problem } from '../problems/problem.js';

/** Turns new requests away while the service finishes what it has begun. */
export class ShutdownGate {
  #shut = false;

  /** Whether new requests are turned away. */
  get isShut(): boolean {
    return this.#shut;
  }

  /** From now on new requests are answered with `shutting-down`, also on connections that are already open. */
  shut(): void {
    this.#shut = true;
  }

  readonly hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (!this.#shut) {
      done();
      return;
    }
    if (edgeRule(request).whileShuttingDown === true) done();
    else
      done(
        new Problem('shutting-down', 'This process is shutting down. Try again.', { retryAfterSeconds: 1 }),
      );
  };

  /**
   * Ends the connection with each answer that is given from now on, to what was in flight too: a client that kept it
   * would come back to this process, and an idle connection would hold up its end.
   */
  readonly onSend = (
    _request: FastifyRequest,
    reply: FastifyReply,
    _payload: unknown,
    done: HookHandlerDoneFunction,
  ): void => {
    if (this.#shut) reply.header('connection', 'close');
    done();
  };
}
