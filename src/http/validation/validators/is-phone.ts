import { applyDecorators } from '@nestjs/common';
import type { ValidationOptions } from 'class-validator';
import { MayHoldCardNumber } from './may-hold-card-number.js';
import { textRule } from './text-rule.js';

/** An E.164 number or a national one. Whether it is in use cannot be checked here. */
const PHONE = /^\+?[0-9]{7,15}$/;

/**
 * A phone number: 7 to 15 ASCII digits, with a `+` before a country code. No spaces or dashes. It is not searched for card numbers:
 * some phone numbers have the digits of one.
 */
export const IsPhone = (options?: ValidationOptions): PropertyDecorator =>
  applyDecorators(
    textRule('isPhone', 'must be a phone number of 7 to 15 digits', (text) => PHONE.test(text), options),
    MayHoldCardNumber(),
  );
