import {
  createParamDecorator,
  Injectable,
  SetMetadata,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { catchError, mergeMap, type Observable } from 'rxjs';
import type { AuditAction } from '../audit/audit-actions.js';
import { AuditTrail, type AuditedAct, isAuditUser } from '../audit/audit-trail.js';
import { asProblem } from '../http/problems/problem-reply.js';
import { clientAddress } from '../http/request/client-address.js';
import { Answer } from '../http/server/answer.js';
import { actorOf, callerOf, type MerchantCaller, type RequestWithCaller } from './caller.js';

const AUDITED = 'tillfront:audited';

/**
 * An id in exactly the form in which this service makes them. Anything else that a caller puts into an address is none, and is not
 * kept; neither is one with so many digits in a row that it can be a card's number. An event's id holds that of its payment or session.
 */
const ID =
  /^(?:(?:cs|pay|op|ref|evt|ntf|dcl|aud|stl|apr|dif|mov|txt)_(?!\w*[0-9]{12})[A-Za-z0-9]{24}|evt_(?:cs|pay|apr)_(?!\w*[0-9]{12})[A-Za-z0-9]{24}_[0-9]{1,9}(?:e[0-9]{1,9})?)$/;

/** How a call is named in the audit. */
interface Naming {
  action: AuditAction;
  /** The object's id in the answer, where the call makes it; else the address names it. */
  objectOf?: (answer: never) => string;
}

/**
 * Marks a merchant's call that changes or reveals. Each such call is one entry of the audit, refused ones too, and the order of the
 * decorators does not matter. `objectOf` finds the object in the answer where the call's address does not name it (`:id`).
 */
export function Audited<Answer>(action: AuditAction, objectOf?: (answer: Answer) => string): MethodDecorator {
  const naming: Naming = { action, ...(objectOf && { objectOf }) };
  return (target, name, descriptor: PropertyDescriptor) => {
    SetMetadata(AUDITED, naming)(target, name, descriptor);
    const handler = descriptor.value as object;
    const others = (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) ?? []) as unknown[];
    // The first is the outermost, which sees what the caller is told.
    Reflect.defineMetadata(INTERCEPTORS_METADATA, [AuditInterceptor, ...others], handler);
  };
}

/** Says what an audited call is about, where neither its address nor its answer does. */
export type SayObject = (object: string) => void;

/** Gives the handler of an audited call what it says its object with. */
export const AboutObject = createParamDecorator((_: unknown, context: ExecutionContext): SayObject => {
  const request = context.switchToHttp().getRequest<RequestWithCaller>();
  return (object) => {
    request.auditObject = object;
  };
});

/** Writes the calls that are marked into the audit. */
@Injectable()
export class CallAudit {
  constructor(
    private readonly trail: AuditTrail,
    private readonly reflector: Reflector,
  ) {}

  /** Answers the call once its entry has its outcome. Throws `store-unavailable` where it cannot be begun. */
  async around(
    context: ExecutionContext,
    caller: MerchantCaller,
    next: CallHandler<unknown>,
  ): Promise<Observable<unknown>> {
    const naming = this.namingOf(context);
    if (!naming) return next.handle();
    const entry = await this.trail.begin(actOf(context, caller, naming.action));
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        await entry.end(asProblem(error).code);
        throw error;
      }),
      mergeMap(async (answer) => {
        const made = naming.objectOf?.((answer instanceof Answer ? answer.body : answer) as never);
        const object = made ?? request.auditObject;
        await entry.end('ok', object === undefined ? {} : { object });
        return answer;
      }),
    );
  }

  /** Enters a call that its guard refuses to a known caller, if the call is one that is audited. */
  async refused(context: ExecutionContext, caller: MerchantCaller, error: unknown): Promise<void> {
    const naming = this.namingOf(context);
    if (!naming) return;
    await this.trail.record(actOf(context, caller, naming.action), asProblem(error).code);
  }

  private namingOf(context: ExecutionContext): Naming | undefined {
    return this.reflector.get<Naming | undefined>(AUDITED, context.getHandler());
  }
}

/** Belongs to `Audited`. A payer's call is not the merchant's. */
@Injectable()
export class AuditInterceptor implements NestInterceptor<unknown, unknown> {
  constructor(private readonly audit: CallAudit) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler<unknown>,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const caller = callerOf(context.switchToHttp().getRequest<RequestWithCaller>());
    return caller.kind === 'merchant' ? this.audit.around(context, caller, next) : next.handle();
  }
}

function actOf(context: ExecutionContext, caller: MerchantCaller, action: AuditAction): AuditedAct {
  const request = context.switchToHttp().getRequest<RequestWithCaller>();
  const { id } = request.params as { id?: string };
  const user = request.headers['tillfront-command-user'];
  const actor = actorOf(caller);
  return {
    actor: typeof user === 'string' && isAuditUser(user) ? `${actor}/cli:${user}` : actor,
    action,
    object: id !== undefined && ID.test(id) ? id : null,
    address: clientAddress(request),
    requestId: request.id,
  };
}
