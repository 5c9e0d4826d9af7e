import { type Exchange, parseJson, sendJson } from '../control/exchange.ts';
import { credentialsOf, type GatewayParts } from '../bank/gateway-call.ts';
import { isObject } from '../dialects/pointer.ts';
import { headerNames, maskValues } from '../control/recorder.ts';

/** The endpoint of the scheme `gateway-endpoint`: a POST with both credentials, answered with the envelope. */
export const SEALING_PATH = '/payment/encrypt';

/** Encrypts the posted body with a key that only the sandbox has. */
export function handleSealing(parts: GatewayParts, exchange: Exchange): void {
  const { request, response, url } = exchange;
  const credentials = credentialsOf(parts, request);
  const body = parseJson(exchange.body);
  const right = credentials.apiKey === 'right' && credentials.accessToken === 'right';
  const status = !right ? 401 : isObject(body) ? 200 : 400;
  const values = isObject(body) ? body : {};
  parts.recorder.record({
    operation: 'encrypt',
    method: request.method ?? '',
    path: url.pathname,
    clientRef: typeof values.client_ref === 'string' ? values.client_ref : '',
    headers: headerNames(request),
    credentials,
    contentType: request.headers['content-type'] ?? '',
    encrypted: false,
    fields: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value])),
    values: maskValues(values),
    unexpected: [],
    problems: [],
    processed: status === 200,
    answered: status,
    ...(parts.context.settings.recordBodies ? { body } : {}),
  });
  if (status === 200) sendJson(response, 200, parts.decryptor.seal(exchange.body));
  else
    sendJson(
      response,
      status,
      parts.dialect.writeRefusal(status === 401 ? 'UNAUTHORIZED' : 'INVALID_REQUEST', 'Refused'),
    );
}
