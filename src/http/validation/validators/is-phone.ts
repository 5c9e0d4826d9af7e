import type { ValidationOptions } from 'class-validator';
import { textRule } from './text-rule.js';

/** As in E.164, or a national number; whether it is in use is for nobody here to know. */
const PHONE = /^\+?[0-9]{7,15}$/;

/** A phone number: 7 to 15 ASCII digits, with a `+` before a country code. No blanks or dashes. */
export const IsPhone = (options?: ValidationOptions): PropertyDecorator =>
  textRule('isPhone', 'must be a phone number of 7 to 15 digits', (text) => PHONE.test(text), options);
