import { type Exchange, sendJson } from './exchange.ts';
import type { GatewayParts } from './gateway-call.ts';
import type { Notifications } from './notifications.ts';

export interface ControlParts extends GatewayParts {
  notifications: Notifications;
}

export function handleControl(parts: ControlParts, exchange: Exchange): void {
  const { ledger } = parts.context;
  if (exchange.url.pathname === '/sandbox/ledger')
    return sendJson(exchange.response, 200, { data: ledger.entries() });
  sendJson(exchange.response, 404, { error: 'no such control' });
}
