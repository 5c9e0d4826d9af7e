const entry = {
  id: 'aud_mi7v0s2k3q2x7wRrUtQ1yZ0a',
  at: '2031-01-01T10:04:05.678Z',
  actor: 'merchant:ops-anna',
  action: 'void',
  object: 'pay_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  address: '192.0.2.44',
  requestId: '4bf92f3577b34da6a3ce929d0e0e4736',
  outcome: 'ok',
  count: 1,
};
const wrongKeys = {
  ...entry,
  id: 'aud_mi7v1ckq0b9w7wRrUtQ1yZ0a',
  at: '2031-01-01T10:05:00.002Z',
  actor: 'unknown',
  action: 'authenticate',
  object: null,
  address: '2001:db8:1:2::/64',
  requestId: '0af7651916cd43dd8448eb211c80319c',
  outcome: 'unauthorized',
  count: 23,
};

/** A page of the audit, for the description of the API. */
export const AUDIT_EXAMPLE = { data: [entry, wrongKeys], nextCursor: wrongKeys.id };

/** A sign-in. */
export const SIGN_IN_EXAMPLE = { actor: 'merchant:ops-anna', access: 'full', livemode: false };
