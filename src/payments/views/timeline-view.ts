import type { TimelineRecord } from '../../store/schema.js';
import type { TimelineEntryDto, TimelineDto } from './payment.dto.js';

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

/** A payment that was made and paid, for the API's description. */
export const TIMELINE_EXAMPLE: TimelineDto = {
  data: [
    { id: 'tle_1', type: 'created', at: '2031-01-01T10:03:51.002Z', to: 'processing' },
    {
      id: 'tle_2',
      type: 'operation_intended',
      at: '2031-01-01T10:03:51.002Z',
      actor: 'payer',
      detail: { operation: 'pay' },
    },
    {
      id: 'tle_3',
      type: 'status_changed',
      at: '2031-01-01T10:04:05.678Z',
      from: 'processing',
      to: 'succeeded',
    },
  ],
};
