/** What a field's value must be. */
export type FieldKind =
  | 'text'
  | 'pin'
  | 'amount'
  | 'currency'
  | 'url'
  | 'email'
  | 'country'
  | 'month'
  | 'year'
  | 'digits'
  | 'boolean'
  | 'number'
  | 'colorDepth'
  | 'partnerPay'
  | 'optional';
