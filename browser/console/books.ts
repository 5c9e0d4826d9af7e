/** The books' part of the API, until its description has it. */

export interface OverviewDto {
  at: string;
  paid: { day: string; currency: string; count: number; captured: string; refunded: string }[];
  methods: { method: string; paid: number; notPaid: number }[];
  open: {
    processing: number;
    requiresAction: number;
    authorized: number;
    needsAttention: number;
    duplicates: number;
    oldest: { paymentId: string; createdAt: string } | null;
  };
  undeliveredEvents: number;
  openDifferences: number;
  lastSettlement: { id: string; receivedAt: string; differences: number } | null;
}

export interface SettlementDto {
  id: string;
  receivedAt: string;
  actor: string;
  from: string | null;
  to: string | null;
  rows: number;
  rowsSeen: number;
  rowsOther: number;
  rowsSetAside: number;
  setAside: { line: number; column: string | null }[];
  skipped: { status: number; ignore: number };
  totals: SettlementTotalsDto[];
  counts: Record<string, number>;
}

export interface SettlementTotalsDto {
  currency: string;
  gross: string;
  fees: string;
  net: string;
  refunds: string;
  chargebacks: string;
  reversals: string;
  payouts: string;
  unexplained: string;
}

export interface DifferenceDto {
  id: string;
  kind: string;
  part: string;
  state: 'open' | 'closed';
  settlementId: string | null;
  reference: string;
  paymentId: string | null;
  foundAt: string;
  expected: { amount: string; currency: string } | null;
  found: { amount: string; currency: string } | null;
  note: string | null;
  closedBy: string | null;
  closedAt: string | null;
  reason: string | null;
}

export interface MovementDto {
  id: string;
  kind: string;
  direction: 'in' | 'out';
  amount: string;
  currency: string;
  at: string;
  late: boolean;
  paymentId: string;
  reference: string;
  settled: { settlementId: string; at: string | null } | null;
}

export interface MovementSummaryRowDto {
  month?: string;
  currency: string;
  captured: string;
  refunded: string;
  reversed: string;
  chargedBack: string;
  net: string;
  count: number;
  late: number;
}

interface Answer<T, Type extends string = 'application/json'> {
  200: { content: Record<Type, T> };
}
interface Get<T, Query = Record<string, string>, Type extends string = 'application/json'> {
  get: { parameters: { query?: Query }; responses: Answer<T, Type> };
}
interface GetOne<T> {
  get: { parameters: { path: { id: string } }; responses: Answer<T> };
}
interface PostOne<Body, T> {
  post: {
    parameters: { path: { id: string } };
    requestBody: { content: { 'application/json': Body } };
    responses: Answer<T>;
  };
}
interface Listed<T> {
  data: T[];
  nextCursor: string | null;
}

export interface BooksPaths {
  '/v1/reports/overview': Get<OverviewDto>;
  '/v1/reports/summary': Get<{ movements: MovementSummaryRowDto[] }>;
  '/v1/reports/movements.csv': Get<string, Record<string, string>, 'text/csv'>;
  '/v1/movements': Get<Listed<MovementDto>>;
  '/v1/settlements': Get<Listed<SettlementDto>> & {
    post: {
      parameters: object;
      requestBody: { content: { 'text/csv': string } };
      responses: Answer<SettlementDto>;
    };
  };
  '/v1/settlements/{id}': GetOne<SettlementDto>;
  '/v1/settlements/{id}/differences': {
    get: { parameters: { path: { id: string } }; responses: Answer<{ data: DifferenceDto[] }> };
  };
  '/v1/differences': Get<Listed<DifferenceDto>>;
  '/v1/differences/{id}/close': PostOne<{ reason: string; note: string }, DifferenceDto>;
  '/v1/differences/{id}/reopen': PostOne<{ note?: string }, DifferenceDto>;
  '/v1/differences/{id}/note': PostOne<{ note: string }, DifferenceDto>;
}
