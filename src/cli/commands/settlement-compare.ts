import { accessSync, constants, createReadStream, readFileSync, statSync } from 'node:fs';
import { viewOfSettlement, type SettlementDifferenceDto } from '../../settlement/api/differences.dto.js';
import { viewSettlement, type SettlementDto } from '../../settlement/api/settlements.dto.js';
import { compareAlone } from '../../settlement/compare/alone.js';
import { ComparisonSlot } from '../../settlement/compare/comparison-slot.js';
import { ordersForm, type OrdersOptions, type OrdersForm } from '../../settlement/files/orders-reader.js';
import type { DifferencesRepository } from '../../settlement/store/differences.repository.js';
import { loadProfile } from '../../gateway/profile/load.js';
import { fileTooLarge, unpacked } from '../../http/body/unpack.js';
import { UPLOAD_LIMITS } from '../../http/body/upload.js';
import { Problem } from '../../http/problems/problem.js';
import type { SettlementRecord } from '../../store/schema.js';
import type { Store } from '../../store/store.js';
import { WrittenTexts } from '../../store/written-texts.js';
import { auditCommand, commandUser } from '../command-audit.js';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from '../command.js';
import { serviceOf } from '../service-client.js';
import { inspectConfiguration, withStore } from '../configuration.js';
import { describeSettlement, differencesOf } from './settlements.js';

/** Differences are read from the store in pages of this size. */
const PAGE = 1_000;

export interface ComparedFiles {
  file: string;
  orders: string | undefined;
  /** How the list of orders is written. */
  options: OrdersOptions;
}

interface Result {
  settlement: SettlementDto;
  differences: SettlementDifferenceDto[];
}

/**
 * Compares a settlement report, and the merchant's own list of orders: through the running service, or in the store itself where
 * none runs. Then the service asks the gateway about what the report claims as soon as it runs.
 */
export async function compareSettlement(context: CommandContext, files: ComparedFiles): Promise<ExitCode> {
  formOf(files.options);
  for (const path of [files.file, files.orders]) if (path !== undefined) assertReadable(path);
  const { settlement, differences } = await throughService(context, files).catch((error: unknown) => {
    const alone =
      error instanceof CommandFailure &&
      error.code === 'service-unreachable' &&
      !context.env['TILLFRONT_URL'];
    if (!alone) throw error;
    return inStore(context, files);
  });
  context.reporter.report({
    text: describeSettlement(settlement, differences),
    json: { settlement, differences },
  });
  const { counts, rowsDifferent, rowsSetAside } = settlement;
  // Also what an earlier report has too; and a row that nothing was compared with may hide a difference.
  const differs = rowsDifferent > 0 || rowsSetAside > 0 || Object.values(counts).some((count) => count > 0);
  return differs ? EXIT.found : EXIT.done;
}

async function throughService(
  context: CommandContext,
  { file, orders, options }: ComparedFiles,
): Promise<Result> {
  const service = serviceOf(context);
  let settlement = await service.post<SettlementDto>('/v1/settlements', bytesOf(file));
  if (orders !== undefined) {
    const path = service.pathOf(`/v1/settlements/${settlement.id}/orders`, { ...options });
    settlement = await service.post<SettlementDto>(path, bytesOf(orders));
  }
  return { settlement, differences: await differencesOf(service, settlement.id) };
}

/** The embedded store cannot be used beside a service; on PostgreSQL another process may compare at the same time, which is waited for. */
async function inStore({ env }: CommandContext, { file, orders, options }: ComparedFiles): Promise<Result> {
  const config = inspectConfiguration(env);
  const { mode, profilePath } = config.gateway;
  const form = formOf(options);
  const profile = loadProfile(profilePath);
  const { settlement: shapes } = profile;
  if (!shapes)
    throw new CommandFailure(
      'The gateway profile says that this gateway has no settlement report.',
      'not-supported',
    );
  return withStore(config, async (store) => {
    await store.prepare();
    const { files, differences } = compareAlone(store, profile, config);
    const slot = new ComparisonSlot(store);
    const nothing = (): Promise<void> => Promise.resolve();
    // Whoever may start this may do anything with the store.
    const sender = { actor: `cli:${commandUser()}`, names: true };
    const report = await audited(store, 'compare', () =>
      slot.use(nothing, (goesOn) =>
        files.compareReport(shapes, sender, { pieces: unpacked(piecesOf(file)), goesOn }),
      ),
    );
    const { settlement } =
      orders === undefined
        ? report
        : await audited(store, 'orders', () =>
            slot.use(nothing, (goesOn) =>
              files.compareOrders(report.settlement, form, { pieces: unpacked(piecesOf(orders)), goesOn }),
            ),
          );
    return {
      settlement: viewSettlement(settlement, mode === 'live', await differences.adoptionOf(settlement.id)),
      differences: await storedDifferences(store, differences, settlement),
    };
  });
}

async function audited<T extends { settlement: SettlementRecord }>(
  store: Store,
  action: 'compare' | 'orders',
  work: () => Promise<T>,
): Promise<T> {
  try {
    const done = await work();
    await auditCommand(store, action, done.settlement.id);
    return done;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await auditCommand(store, action, null, error.code);
    const lines = (error.extra.errors ?? []).map(({ message }) => `  ${message}`);
    throw new CommandFailure([error.detail, ...lines].join('\n'), error.code);
  }
}

async function storedDifferences(
  store: Store,
  repository: DifferencesRepository,
  settlement: SettlementRecord,
): Promise<SettlementDifferenceDto[]> {
  const texts = new WrittenTexts(store);
  const found: SettlementDifferenceDto[] = [];
  for (let after = ''; ;) {
    const page = await repository.listOf(settlement, { after, limit: PAGE });
    const notes = await texts.read(page.flatMap(({ noteId }) => noteId ?? []));
    found.push(...page.map((difference) => viewOfSettlement(difference, notes)));
    const last = page.at(-1);
    if (!last || page.length < PAGE) return found;
    after = last.id;
  }
}

/** A file that the service would refuse for its size is not read here either. */
function assertReadable(path: string): void {
  let bytes: number;
  try {
    accessSync(path, constants.R_OK);
    bytes = statSync(path).size;
  } catch {
    throw new CommandFailure(`${path} cannot be read.`, 'file');
  }
  if (bytes > UPLOAD_LIMITS.bytes) {
    const { code, detail } = fileTooLarge();
    throw new CommandFailure(detail, code);
  }
}

/** Refuses options that no list of orders can have. */
function formOf(options: OrdersOptions): OrdersForm {
  try {
    return ordersForm(options);
  } catch (error) {
    if (error instanceof Problem) throw new CommandFailure(`--${error.detail}`, error.code);
    throw error;
  }
}

function bytesOf(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(path));
}

async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) yield piece;
}
