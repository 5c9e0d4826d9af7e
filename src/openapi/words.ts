import type { OpenAPIObject } from '@nestjs/swagger';
import { PAYMENT_METHODS } from '../config/env.js';
import { EVENT_TYPES } from '../store/event-types.js';
import {
  DELIVERY_STATUSES,
  FAILURE_CODES,
  OPERATION_TYPES,
  PAYMENT_STATUSES,
  SESSION_STATUSES,
  TIMELINE_TYPES,
} from '../store/schema.js';
import { RECORDED_METHODS } from '../store/recorded-method.js';
import { problemCodes } from '../http/problems/problem.js';

const LISTS: readonly (readonly string[])[] = [
  PAYMENT_METHODS,
  RECORDED_METHODS,
  PAYMENT_STATUSES,
  SESSION_STATUSES,
  OPERATION_TYPES,
  FAILURE_CODES,
  TIMELINE_TYPES,
  EVENT_TYPES,
  DELIVERY_STATUSES,
  problemCodes,
];

/**
 * Puts the words of every enumeration into the order of the list that they are from. The compiler hands them over in an
 * order of its own, which changes with code that has nothing to do with them.
 */
export function orderWords(document: OpenAPIObject): void {
  walk(document.paths);
  walk(document.components);
}

function walk(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, inner] of Object.entries(part)) {
    if (name === 'enum' && Array.isArray(inner)) inner.sort(inListOrder(inner));
    else walk(inner);
  }
}

function inListOrder(words: readonly unknown[]): (one: unknown, other: unknown) => number {
  const list: readonly unknown[] =
    LISTS.find((known) => words.every((word) => known.some((w) => w === word))) ?? [];
  return (one, other) => list.indexOf(one) - list.indexOf(other);
}
