import type { PaymentDto } from '../../payments/views/payment.dto.js';
import { type CommandContext, EXIT, type ExitCode } from '../command.js';
import { serviceOf, ServiceRefusal, type ServiceClient } from '../service-client.js';
import { table } from '../output.js';

const OPEN = ['processing', 'requires_action', 'authorized'] as const;
const ALL = 100_000;

/** What a status check of one payment changed. */
interface Asked {
  id: string;
  before: string | undefined;
  after: string | undefined;
  /** The problem code, where the check was refused. */
  refused: string | undefined;
}

/** Checks payments at the gateway now, through the running service: the given ones, or all that are open. */
export async function reconcile(context: CommandContext, ids: readonly string[]): Promise<ExitCode> {
  const { reporter } = context;
  const service = serviceOf(context);
  const payments = ids.length > 0 ? ids.map((id) => ({ id })) : await openPayments(service);
  const asked = await reporter.each('Asking the gateway', payments, (payment) => ask(service, payment));
  const changed = asked.filter(({ before, after }) => after !== undefined && before !== after);
  const refused = asked.filter(({ refused }) => refused !== undefined);
  reporter.report({
    text: [
      `Asked about ${asked.length - refused.length} payments: ${changed.length} changed, ${refused.length} could not be asked about.`,
      ...table(changed.map(({ id, before = '?', after = '' }) => [`  ${id}`, `${before} -> ${after}`])),
      ...table(refused.map(({ id, refused: code = '' }) => [`  ${id}`, code])),
    ],
    json: { asked: asked.length - refused.length, changed, refused },
  });
  return refused.length > 0 ? EXIT.found : EXIT.done;
}

/** Payments in an open status, and others that have an unknown operation or need attention. */
async function openPayments(service: ServiceClient): Promise<PaymentDto[]> {
  const filters = [...OPEN.map((status) => ({ status })), { needsAttention: true }];
  const lists = filters.map((filter) => service.all<PaymentDto>('/v1/payments', { ...filter, limit: ALL }));
  const found = (await Promise.all(lists)).flat();
  return [...new Map(found.map((payment) => [payment.id, payment])).values()];
}

async function ask(
  service: ServiceClient,
  { id, status }: { id: string; status?: PaymentDto['status'] },
): Promise<Asked> {
  const path = `/v1/payments/${encodeURIComponent(id)}`;
  try {
    const before = status ?? (await service.get<PaymentDto>(path)).status;
    const { status: after } = await service.post<PaymentDto>(`${path}/refresh`);
    return { id, before, after, refused: undefined };
  } catch (error) {
    // A payment that is busy or gone must not stop the others from being checked.
    if (
      error instanceof ServiceRefusal &&
      error.status < 500 &&
      error.status !== 401 &&
      error.status !== 403
    ) {
      return { id, before: status, after: undefined, refused: error.code };
    }
    throw error;
  }
}
