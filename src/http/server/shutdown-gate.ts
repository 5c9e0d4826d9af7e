import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { edgeRule } from '../request/edge-route.js';
import { Problem } from '../problems/problem.js';

/** Refuses new requests while the service finishes the running ones. */
export class ShutdownGate {
  #leaving = false;
  #shut = false;

  /** Whether new requests are refused. */
  get isShut(): boolean {
    return this.#shut;
  }

  /** From now on closes each connection with its next answer, and refuses nothing yet. */
  leave(): void {
    this.#leaving = true;
  }

  /** From now on answers new requests with `shutting-down`, also on connections that are already open. */
  shut(): void {
    this.#leaving = true;
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
   * Closes the connection with every answer from now on, including answers to requests already in flight. A client that
   * kept its connection would come back to this process, and an idle connection would delay the end.
   */
  readonly onSend = (
    _request: FastifyRequest,
    reply: FastifyReply,
    _payload: unknown,
    done: HookHandlerDoneFunction,
  ): void => {
    if (this.#leaving) reply.header('connection', 'close');
    done();
  };
}
