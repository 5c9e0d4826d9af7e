import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePortFrom } from './ports.ts';

/** The repository's root. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface DemoSettings {
  sandboxPort: number;
  tillfrontPort: number;
  shopPort: number;
  /** The demo's own data directory, so that it never touches another store. */
  dataDir: string;
  tillfrontUrl: string;
  sandboxUrl: string;
  shopUrl: string;
  /** Good enough for a demo on loopback against a sandbox, and for nothing else. */
  merchantKey: string;
  /** Keys of people, and above which amount one of them asks another: `DEMO_PEOPLE` and `DEMO_APPROVAL_ABOVE`, for the pictures of approvals. */
  people: string | undefined;
  approvalAbove: string | undefined;
  webhookSecret: string;
  gatewayApiKey: string;
  gatewayAccessToken: string;
}

/**
 * Reads the ports from `PORT`, `SHOP_PORT` and `SANDBOX_PORT`, the data directory's parent from `DATA_DIR`. Each demo has a
 * folder and a shop's port of its own.
 */
export function readSettings(env: NodeJS.ProcessEnv, own = { folder: 'demo', shopPort: 3001 }): DemoSettings {
  const tillfrontPort = port(env['PORT'], 3000, 'PORT');
  // the same at every run, because the demo's store is kept and a store belongs to one gateway address
  const sandboxPort = port(env['SANDBOX_PORT'], 4010, 'SANDBOX_PORT');
  const shopPort = port(env['SHOP_PORT'], own.shopPort, 'SHOP_PORT');
  return {
    sandboxPort,
    tillfrontPort,
    shopPort,
    dataDir: resolve(env['DATA_DIR'] || `${ROOT}data`, own.folder),
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    ...addresses({ tillfrontPort, shopPort }),
    merchantKey: 'demo-merchant-key-for-loopback-only',
    people: env['DEMO_PEOPLE'],
    approvalAbove: env['DEMO_APPROVAL_ABOVE'],
    webhookSecret: `whsec_${Buffer.from('a secret that is fit for the demo only').toString('base64')}`,
    gatewayApiKey: 'sandbox-key',
    gatewayAccessToken: 'sandbox-token',
  };
}

/**
 * The settings with other ports where these are in use. The sandbox keeps its port, because the demo's store belongs to its
 * address. Throws where there is no free port near the wanted one.
 */
export async function withFreePorts(settings: DemoSettings, shop: string): Promise<DemoSettings> {
  const { sandboxPort } = settings;
  const tillfrontPort = await freePortFrom(settings.tillfrontPort, [sandboxPort]);
  if (tillfrontPort === undefined) throw noPort('Tillfront', settings.tillfrontPort, 'PORT');
  const shopPort = await freePortFrom(settings.shopPort, [sandboxPort, tillfrontPort]);
  if (shopPort === undefined) throw noPort(shop, settings.shopPort, 'SHOP_PORT');
  return { ...settings, tillfrontPort, shopPort, ...addresses({ tillfrontPort, shopPort }) };
}

function noPort(what: string, wanted: number, name: string): Error {
  return new Error(`There is no free port for ${what} from ${wanted} on: set ${name} to another one.`);
}

function addresses({ tillfrontPort, shopPort }: Pick<DemoSettings, 'tillfrontPort' | 'shopPort'>) {
  return {
    tillfrontUrl: `http://localhost:${tillfrontPort}`,
    shopUrl: `http://localhost:${shopPort}`,
  };
}

function port(text: string | undefined, otherwise: number, name: string): number {
  const value = text === undefined || text === '' ? otherwise : Number(text);
  if (Number.isInteger(value) && value > 0 && value < 65_536) return value;
  throw new Error(`${name} must be a port number`);
}
