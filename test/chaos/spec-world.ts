import { service } from '../setup/service.js';
import { createTestDatabase } from '../setup/postgres.js';
import { TcpProxy } from './tcp-proxy.ts';
import { World, type WorldOptions } from './world.ts';

export interface SpecWorld {
  world: World;
  /** Between the service and its database, on PostgreSQL. */
  databaseLine: TcpProxy | undefined;
  end: () => Promise<void>;
}

/** A world for a test file, on a store of its own. */
export async function startSpecWorld(
  store: 'embedded' | 'postgres',
  options: Partial<WorldOptions> = {},
): Promise<SpecWorld> {
  const database = store === 'postgres' ? await createTestDatabase() : undefined;
  const line = database && new TcpProxy({ host: '127.0.0.1', port: Number(new URL(database.url).port) });
  await line?.start();
  const world = await World.start({
    // A sabotage changes a single file of the build.
    build: await service(options.sabotage === undefined ? 'bundle' : 'build'),
    ...(database && line && { databaseUrl: database.url, databaseLine: line }),
    ...options,
  });
  return {
    world,
    databaseLine: line,
    end: async () => {
      await world.end();
      await database?.drop();
    },
  };
}
