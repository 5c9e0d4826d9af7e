import { TillfrontClient } from './client.js';
import { startMisbehavingGateway, type MisbehavingGateway } from './misbehaving-gateway.js';
import type { StoreKind, TestStore } from './test-store.js';
import { startTillfront, type Tillfront } from './tillfront.js';

/** The service, a gateway that behaves as the test says, and a client for calling the service. */
export interface Scene {
  gateway: MisbehavingGateway;
  /** Another one where it was started anew. */
  tillfront: Tillfront;
  client: TillfrontClient;
  stop(): Promise<void>;
}

export async function startScene(
  store: StoreKind | TestStore,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Scene> {
  const gateway = await startMisbehavingGateway();
  try {
    const tillfront = await startTillfront({ store, gatewayUrl: gateway.url, env });
    const scene = {
      gateway,
      tillfront,
      client: new TillfrontClient(tillfront.url, tillfront.merchantKey),
      stop: async () => {
        await scene.tillfront.stop();
        await gateway.close();
      },
    };
    return scene;
  } catch (error) {
    await gateway.close();
    throw error;
  }
}
