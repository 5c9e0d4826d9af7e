import type { TimelineRecord } from '../../store/schema.js';
import type { TimelineEntryDto } from './payment.dto.js';

/** One entry of a timeline as it is shown. */
export function viewTimeline(entry: TimelineRecord): TimelineEntryDto {
  return {
    id: entry.id,
    type: entry.type,
    at: new Date(entry.at).toISOString(),
    ...(entry.fromStatus !== null && { from: entry.fromStatus }),
    ...(entry.toStatus !== null && { to: entry.toStatus }),
    ...(entry.late && { late: true }),
    ...(entry.actor !== null && { actor: entry.actor }),
    ...(entry.detail !== null && { detail: entry.detail }),
  };
}
