import { service } from '../setup/service.js';
import { createTestDatabase } from '../setup/postgres.js';
import { World, type WorldOptions } from './world.ts';

export interface SpecWorld {
  world: World;
  end(): Promise<void>;
}

/** A world for a test file, on a store of its own. */
export async function startSpecWorld(
  store: 'embedded' | 'postgres',
  options: Partial<WorldOptions> = {},
): Promise<SpecWorld> {
  const database = store === 'postgres' ? await createTestDatabase() : undefined;
  const world = await World.start({
    build: await service('build'),
    ...(database && { databaseUrl: database.url }),
    ...options,
  });
  return {
    world,
    end: async () => {
      await world.end();
      await database?.drop();
    },
  };
}
