import { createServer, type Server } from 'node:http';
import { startPostgres, type PostgresCluster } from './postgres-cluster.ts';
import { buildOnce } from './build.ts';
import { findChromium, findFirefox } from './browser-programs.ts';
import { cardKeyTemplate, type Template } from './card-key.ts';

/**
 * What the tests need besides the code. Each service is started when a test first asks for it, and then shared by all
 * workers of the run, so a run of unit tests starts nothing. It lives in jest's own process, and workers ask over loopback
 * (`service()` in service.ts).
 */
export interface Services {
  stop(): Promise<void>;
}

/** The variable that tells workers where to ask. */
export const servicesVariable = 'TILLFRONT_TEST_SERVICES';

export async function startServices(): Promise<Services> {
  let cluster: Promise<PostgresCluster> | undefined;
  let running: PostgresCluster | undefined;
  const asked = new Map<string, Promise<string>>();
  const templates: Template[] = [];
  const kept = async (template: Promise<Template>): Promise<string> => {
    templates.push(await template);
    return (await template).name;
  };
  const shared = (name: string): Promise<string> => {
    let value = asked.get(name);
    if (!value) {
      value = providers[name]?.() ?? Promise.reject(new Error(`no service "${name}"`));
      asked.set(name, value);
    }
    return value;
  };
  const providers: Record<string, () => Promise<string>> = {
    postgres: async () => {
      const outside = process.env['TEST_POSTGRES_URL'];
      if (outside) return outside;
      cluster = startPostgres();
      running = await cluster;
      return running.url;
    },
    'card-key': () => kept(cardKeyTemplate()),
    build: buildOnce,
    chromium: findChromium,
    firefox: () => new Promise((resolve) => resolve(findFirefox())),
  };
  const server = createServer((request, response) => {
    const answer = (body: { value: string } | { error: string }): void => {
      response.setHeader('connection', 'close').setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    shared((request.url ?? '').slice(1)).then(
      (text) => answer({ value: text }),
      (error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.env[servicesVariable] = await listen(server);
  const killAtExit = (): void => running?.kill();
  process.once('exit', killAtExit);
  return {
    stop: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await Promise.all(templates.map((template) => template.remove()));
      await cluster?.then(
        (started) => started.stop(),
        () => undefined,
      );
      process.removeListener('exit', killAtExit);
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // the run must be able to end while this still listens
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('no loopback address for the test services');
  return `http://127.0.0.1:${address.port}`;
}
