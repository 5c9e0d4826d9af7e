import type { RecordedMethod } from '../store/schema.js';

class PaidOnDayDto {
  /**
   * The day on which the payments were made, in `BOOKS_TIME_ZONE`.
   * @example "2031-01-31"
   */
  day: string;
  /** @example "NGN" */
  currency: string;
  count: number;
  /** What was taken. Decimal, in major units. */
  captured: string;
  /** What was given back of it. */
  refunded: string;
}

class MethodShareDto {
  method: RecordedMethod;
  /** Paid, including those that were voided later. */
  paid: number;
  /** Failed, canceled or expired. What is open or held is in neither. */
  notPaid: number;
}

class OldestOpenDto {
  paymentId: string;
  /** RFC 3339, UTC. */
  createdAt: string;
}

class OpenDto {
  /** Sent to the gateway, or their outcome is not known yet. */
  processing: number;
  /** Waiting for their payers. */
  requiresAction: number;
  /** Held. */
  authorized: number;
  needsAttention: number;
  /** Payments that hold money of an order that another one pays. */
  duplicates: number;
  /** The one that has been open longest; null where none is. */
  oldest: OldestOpenDto | null;
}

class LastSettlementDto {
  id: string;
  /** RFC 3339, UTC. */
  receivedAt: string;
  /** Of all kinds together: those that it has brought when it came. */
  differences: number;
}

/** Figures for whoever looks after payments, at most 5 s old. Figures of what is open stop at 10000. */
export class OverviewDto {
  /** When they were read. RFC 3339, UTC. */
  at: string;
  /** Paid on each of the last 30 days, today included; days without any are left out. */
  paid: PaidOnDayDto[];
  /** Of the last 30 days. */
  methods: MethodShareDto[];
  open: OpenDto;
  /** Events that wait for their delivery. */
  undeliveredEvents: number;
  /** Where settlement reports, lists of orders and the ledger differ and nobody has dealt with it, over all reports. */
  openDifferences: number;
  /** Null where there was none. */
  lastSettlement: LastSettlementDto | null;
}
