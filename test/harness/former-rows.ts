/** Rows as version 0.1.0 wrote them, named by its columns. What a test needs otherwise it says. */
export type FormerRow = Readonly<Record<string, string | number | null>>;

/** When the rows were made, unless a test says otherwise. */
const MADE = Date.UTC(2026, 10, 21, 12);

/** A card payment of 1500.00 NGN that has just begun: its process waits for the gateway's answer. */
export function formerPayment(over: FormerRow = {}): FormerRow {
  return {
    id: 'pay_1',
    session_id: 'cs_1',
    reference: 'ORDER-1',
    gateway_reference: 'ORDER-1_1',
    method: 'card',
    status: 'processing',
    amount: '150000',
    currency: 'NGN',
    amount_authorized: null,
    amount_captured: null,
    next_action: null,
    pending_operation: null,
    duplicate_of: null,
    needs_attention: 0,
    attention_reason: null,
    settled_answer: null,
    failure: null,
    card_brand: 'verve',
    card_last4: '7499',
    card_fingerprint: 'card-hash',
    address_fingerprint: 'address-hash',
    transaction_ref: null,
    metadata: '{"cart":"42"}',
    otps_sent: 0,
    answered: 0,
    waiting: 0,
    not_known_count: 0,
    gateway_expires_at: null,
    ask_at: MADE + 8_000,
    last_finding: null,
    ask_count: 0,
    open_since: MADE,
    closed_at: null,
    event_sequence: 0,
    timeline_sequence: 2,
    lease_owner: 'own_gone',
    lease_until: MADE + 8_000,
    lease_fence: 1,
    version: 1,
    created_at: MADE,
    updated_at: MADE,
    ...over,
  };
}

/** The session that it pays. */
export function formerSession(over: FormerRow = {}): FormerRow {
  return {
    id: 'cs_1',
    reference: 'ORDER-1',
    amount: '150000',
    currency: 'NGN',
    status: 'open',
    closed_reason: null,
    payer: '{"email":"ada@example.com"}',
    billing: null,
    return_url: null,
    methods: '["card","wallet","transfer","ussd"]',
    metadata: '{"cart":"42"}',
    declines: 0,
    event_sequence: 0,
    expires_at: MADE + 1_800_000,
    created_at: MADE,
    updated_at: MADE,
    finished_at: null,
    redacted_at: null,
    ...over,
  };
}

export function formerReference(over: FormerRow = {}): FormerRow {
  return {
    reference: 'ORDER-1',
    attempts: 1,
    live_payment_ids: '["pay_1"]',
    paid_payment_ids: '[]',
    session_id: 'cs_1',
    ...over,
  };
}

/** The operation that began it. */
export function formerOperation(over: FormerRow = {}): FormerRow {
  return {
    payment_id: 'pay_1',
    id: 'op_1',
    type: 'pay',
    status: 'intended',
    amount: null,
    owner: 'own_gone',
    actor: 'payer',
    former_count: 0,
    created_at: MADE,
    updated_at: MADE,
    ...over,
  };
}

/** The key of the request that began it. */
export function formerKey(over: FormerRow = {}): FormerRow {
  return {
    scope: 'session:cs_1',
    key: 'key-1',
    fingerprint: 'f',
    session_id: 'cs_1',
    payment_id: 'pay_1',
    operation_id: 'op_1',
    running_until: null,
    created_at: MADE,
    expires_at: MADE + 7 * 86_400_000,
    ...over,
  };
}

/** The first entry of its timeline. */
export function formerEntry(over: FormerRow = {}): FormerRow {
  return {
    payment_id: 'pay_1',
    sequence: 1,
    id: 'tle_1',
    type: 'created',
    at: MADE,
    from_status: null,
    to_status: 'processing',
    late: 0,
    actor: 'payer',
    detail: null,
    ...over,
  };
}
