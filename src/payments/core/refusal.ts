import { Problem, type ProblemCode } from '../../http/problems/problem.js';

/** A command or a person's word that is not allowed now. Nothing was recorded. */
export class Refusal extends Problem {
  constructor(
    code: ProblemCode,
    detail: string,
    readonly paymentId?: string,
    /** Of `validation-failed`: the JSON pointer. */
    pointer?: string,
  ) {
    super(code, detail, {
      ...(paymentId === undefined ? {} : { paymentId }),
      ...(pointer === undefined ? {} : { errors: [{ pointer, message: detail }] }),
    });
  }
}
