import type { AuditEntryDto } from '../../audit-feed/audit.dto.js';
import type { PaymentDto } from '../../payments/views/payment.dto.js';
import type { RefundListDto } from '../../payments/views/refund.dto.js';
import type { SummaryDto } from '../../reports/reports.dto.js';
import type { SummaryKey } from '../../reports/totals.repository.js';
import type { SettlementDto } from '../../settlement/api/settlements.dto.js';
import { presentCounts } from '../../settlement/difference.js';
import { type CommandContext, EXIT, type ExitCode } from '../command.js';
import { serviceOf, type Query } from '../service-client.js';
import { cellsOf, table, type Columns } from '../output.js';
import { PAYMENT_COLUMNS, paymentIdOf } from './payments.js';

/** Commands that print a list of the API: where it is, what is said of an empty one, and its columns. */
export const LISTS = {
  payments: pagedList<PaymentDto>('/v1/payments', 'cursor', 'No payments.', PAYMENT_COLUMNS),
  audit: pagedList<AuditEntryDto>('/v1/audit', 'after', 'No entries.', {
    AT: ({ at }) => at,
    ACTOR: ({ actor }) => actor,
    ACTION: ({ action }) => action,
    OBJECT: ({ object }) => object ?? '',
    ADDRESS: ({ address }) => address ?? '',
    OUTCOME: ({ outcome, count }) => (count > 1 ? `${outcome} (${count})` : outcome),
    ENTRY: ({ id }) => id,
  }),
  settlements: pagedList<SettlementDto>('/v1/settlements', 'cursor', 'No settlement reports.', {
    RECEIVED: ({ receivedAt }) => receivedAt,
    SETTLEMENT: ({ id }) => id,
    ROWS: ({ rows }) => String(rows),
    DIFFERENCES: ({ counts }) => countsInWords(counts),
  }),
  /** The refunds of one payment, which is named by its id or the reference of its order. */
  refunds: async (context: CommandContext, { payment }: { payment: string }): Promise<ExitCode> => {
    const service = serviceOf(context);
    const path = `/v1/payments/${encodeURIComponent(await paymentIdOf(service, payment))}`;
    const { currency } = await service.get<PaymentDto>(path);
    const { data } = await service.get<RefundListDto>(`${path}/refunds`);
    return print(context, data, 'No refunds.', {
      CREATED: ({ createdAt }) => createdAt,
      REFUND: ({ id }) => id,
      AMOUNT: ({ amount }) => `${amount} ${currency}`,
      STATUS: ({ status }) => status,
      REASON: ({ reason }) => reason ?? '',
    });
  },
  summary: async (
    context: CommandContext,
    { by = 'day', ...times }: Query & { by: SummaryKey | undefined },
  ): Promise<ExitCode> => {
    const service = serviceOf(context);
    const { data } = await service.get<SummaryDto>(service.pathOf('/v1/reports/summary', { ...times, by }));
    return print(context, data, 'No payments.', {
      [by.toUpperCase()]: (row) => row[by] ?? '',
      STATUS: ({ status }) => status,
      COUNT: ({ count }) => String(count),
      AMOUNT: ({ amount, currency }) => `${amount} ${currency}`,
      CAPTURED: ({ captured, currency }) => `${captured} ${currency}`,
      REFUNDED: ({ refunded, currency }) => `${refunded} ${currency}`,
    });
  },
};

/** A list that comes in pages. The command's options are the call's parameters, under the same names. */
function pagedList<T>(path: string, cursorName: string, none: string, columns: Columns<T>) {
  return async (context: CommandContext, query: Query): Promise<ExitCode> =>
    print(context, await serviceOf(context).all<T>(path, query, cursorName), none, columns);
}

function print<T>(
  { reporter }: CommandContext,
  data: readonly T[],
  none: string,
  columns: Columns<T>,
): ExitCode {
  const rows = data.map((item) => cellsOf(columns, item));
  reporter.report({
    text: data.length === 0 ? [none] : table([Object.keys(columns), ...rows]),
    json: { data },
  });
  return EXIT.done;
}

/** How many differences of which kinds. */
export function countsInWords(counts: Readonly<Record<string, number>>): string {
  const some = presentCounts(counts);
  return some.length === 0 ? 'none' : some.map(([kind, count]) => `${count} ${kind}`).join(', ');
}
