import type { AuditEntryDto, AuditListDto } from '../../audit-feed/audit.dto.js';
import { serviceOf, type CommandContext } from '../command-context.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { table } from '../output/table.js';

/** The largest page that the service returns. */
const PAGE = 100;

/** Lists the audit's entries, the oldest first. */
export async function listAudit(
  context: CommandContext,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ExitCode> {
  const service = serviceOf(context);
  const found: AuditEntryDto[] = [];
  let last = after;
  while (found.length < limit) {
    const query = new URLSearchParams({ limit: String(Math.min(PAGE, limit - found.length)) });
    if (last !== undefined) query.set('after', last);
    const { data } = await service.get<AuditListDto>(`/v1/audit?${query.toString()}`);
    if (data.length === 0) break;
    found.push(...data);
    last = data.at(-1)?.id;
  }
  context.reporter.report({
    text:
      found.length === 0
        ? ['No entries.']
        : table([['AT', 'ACTOR', 'ACTION', 'OBJECT', 'ADDRESS', 'OUTCOME', 'ENTRY'], ...found.map(asRow)]),
    json: { data: found },
  });
  return EXIT.done;
}

function asRow({ at, actor, action, object, address, outcome, count, id }: AuditEntryDto): string[] {
  return [at, actor, action, object ?? '', address ?? '', count > 1 ? `${outcome} (${count})` : outcome, id];
}
