import type { Random } from '../chaos/random.ts';
import { decide, waitingApprovals, type DecisionKind } from './approvals.ts';
import type { BookStep } from './book-steps.ts';
import type { World } from './world.ts';

const TRIES = 40;

/** The people who keep the books. */
export class Bookkeeper {
  /** Reports that somebody was told of. */
  readonly #reports: string[] = [];

  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  async take({ id, kind }: BookStep): Promise<void> {
    const { world } = this;
    const random = world.random(`books ${id}`);
    world.note(`BOOKS ${id} ${kind}`);
    switch (kind) {
      case 'upload':
        return this.#upload(this.world.writer.next(random, world.time.now), [id], random);
      case 'upload-twice':
        return this.#upload(this.world.writer.next(random, world.time.now), [`${id}a`, `${id}b`], random);
      case 'adopt':
        return this.#adopt([id], random);
      case 'adopt-twice':
        return this.#adopt([`${id}a`, `${id}b`], random);
      case 'explain':
        return this.#act('close', id, random, { reason: 'explained', note: 'asked the gateway' });
      case 'write-off':
        return this.#act('close', id, random, { reason: 'written_off', note: 'too small' });
      case 'reopen':
        return this.#act('reopen', id, random, {});
      case 'approve-twice':
        await Promise.all([`${id}a`, `${id}b`].map((key) => this.#decide('approve', key, random)));
        return;
      default:
        return this.#decide(kind, id, random);
    }
  }

  /** Everything was uploaded, also what the store may have lost, and what moved since. */
  async finish(): Promise<void> {
    const { world } = this;
    const { writer } = world;
    const random = world.random('books at last');
    const before = random.chance(0.3) || world.lost.size > 0 ? [...writer.files] : this.#unsent();
    const last = [0, 1].map(() => writer.next(random, world.time.now, true));
    for (const [index, file] of [...before, ...last].entries())
      for (let tries = 0; tries < TRIES; tries++) {
        if (await this.#send(file, `last-${index}-${tries}`, random)) break;
        await world.time.pause(2_000);
        if (tries === TRIES - 1) world.blame('a settlement report could not be compared');
      }
  }

  readonly #sent = new Set<string>();
  #unsent(): string[] {
    return this.world.writer.files.filter((file) => !this.#sent.has(file));
  }

  /** Whoever gets no answer sends it again under the same key, as it is told. */
  async #upload(file: string, keys: readonly string[], random: Random): Promise<void> {
    await Promise.all(
      keys.map(async (key) => {
        for (let tries = 0; tries < 3 && !(await this.#send(file, key, random)); tries++)
          await this.world.time.pause(5_000);
      }),
    );
  }

  async #send(file: string, key: string, random: Random): Promise<boolean> {
    const { SettlementsService } = this.world.engine.settlements;
    const upload = {
      ...{ scope: 'merchant', key: `report-${key}`, path: '/v1/settlements' },
      ...{ actor: 'merchant:anna', names: true },
    };
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from(await Promise.resolve(file));
    }
    const reply = await this.world.call(random, ({ container }) =>
      container.get(SettlementsService).compare({ ...upload, pieces: pieces() }),
    );
    if (reply.kind !== 'answered') return false;
    this.#sent.add(file);
    this.#reports.push(reply.value.settlement.id);
    return true;
  }

  /** All that a report names and the store does not know. */
  async #adopt(keys: readonly string[], random: Random): Promise<void> {
    const report = this.#reports.at(-1);
    if (report === undefined) return;
    const { SettlementsController } = this.world.engine.settlementsController;
    await Promise.all(
      keys.map((key) =>
        this.world.call(random, ({ container }) =>
          container
            .get(SettlementsController)
            .adopt(report, {}, this.#keyed(`adopt-${key}`, `/v1/settlements/${report}/adopt`)),
        ),
      ),
    );
  }

  async #act(
    act: 'close' | 'reopen',
    id: string,
    random: Random,
    dto: { reason?: 'explained' | 'written_off'; note?: string },
  ): Promise<void> {
    const { world } = this;
    const rows = world.store.rows(
      `select id from differences where state = ? ${act === 'reopen' ? 'and closed_by is not null' : ''}`,
      act === 'close' ? 'open' : 'closed',
    );
    if (rows.length === 0) return;
    const difference = String(random.pick(rows)['id']);
    const { DifferencesController } = world.engine.differences;
    const keyed = this.#keyed(`${act}-${id}`, `/v1/differences/${difference}/${act}`);
    await world.call(random, ({ container }) =>
      container.get(DifferencesController)[act](difference, dto as never, keyed),
    );
  }

  async #decide(kind: DecisionKind, id: string, random: Random): Promise<void> {
    const { world } = this;
    const about = world.store
      .rows(
        "select distinct object_id as id from approvals where state = 'waiting' and object_id is not null",
      )
      .map((row) => String(row['id']));
    const waiting = about.flatMap((one) => waitingApprovals(world, one));
    if (waiting.length > 0) await decide(world, kind, random.pick(waiting), id, random);
  }

  #keyed(key: string, path: string) {
    return (content: object) => ({
      ...{ scope: 'merchant', key, path, content: { ...content } },
      ...{ actor: 'merchant:anna', intended: () => undefined },
    });
  }
}
