import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { randomWord } from '../harness/random-word.js';
import type { TestStore } from '../harness/test-store.js';
import { takeStep } from './commands.ts';
import { LedgerGateway } from './ledger-gateway.ts';
import { comeToRest } from './rest.ts';
import { Scene } from './scene.ts';
import { sequences } from './sequences.ts';
import type { Step } from './steps.ts';
import { Till, type TillOptions } from './till.ts';

export interface CheckOptions {
  seed: number;
  runs: number;
  /** Of a failure: where in the seed it stands. */
  path?: string | undefined;
  /** Steps that are left out, to look past a fault that is known. */
  except?: RegExp | undefined;
  /** The first failure says enough. */
  asFound?: boolean;
}

export interface ModelFigures {
  sequences: number;
  steps: number;
  payments: number;
  charges: number;
  refunds: number;
  deaths: number;
  clockSteps: number;
  failed: number;
}

/** A sequence that fails is made smaller for so long. */
const SHRINKING_MS = 60_000;

/** A service, a gateway and a store, which one sequence after the other uses, each with an order of its own. */
export class ModelRun {
  readonly figures: ModelFigures = {
    sequences: 0,
    steps: 0,
    payments: 0,
    charges: 0,
    refunds: 0,
    deaths: 0,
    clockSteps: 0,
    failed: 0,
  };
  /** What was done, and how often. */
  readonly deeds = new Map<string, number>();
  readonly #till: Till;
  readonly #gateway: LedgerGateway;
  readonly #store: TestStore;
  readonly #word = randomWord(6);
  #failed: { at: number; what: string } | undefined;

  private constructor(till: Till, gateway: LedgerGateway, store: TestStore) {
    this.#till = till;
    this.#gateway = gateway;
    this.#store = store;
  }

  static async start(options: Omit<TillOptions, 'gatewayUrl'>): Promise<ModelRun> {
    const gateway = await LedgerGateway.start();
    try {
      return new ModelRun(await Till.start({ ...options, gatewayUrl: gateway.url }), gateway, options.store);
    } catch (error) {
      await gateway.close();
      throw error;
    }
  }

  /** Undefined where everything held; otherwise what did not, and how it is seen again. */
  async check({ seed, runs, path, except, asFound }: CheckOptions): Promise<string | undefined> {
    const property = fc.asyncProperty(sequences, (steps) =>
      this.#one(steps.filter((step) => !except?.test(JSON.stringify(step)))),
    );
    const outcome = await fc.check(property, {
      seed,
      numRuns: runs,
      endOnFailure: asFound === true,
      ...(path !== undefined && { path }),
    });
    if (outcome.failed) this.figures.failed = 1;
    if (outcome.failed)
      return this.#report(seed, outcome.counterexamplePath, outcome.counterexample?.[0] ?? []);
    const leaks: string[] = [];
    this.#till.onViolation = (what) => leaks.push(what);
    await this.#till.scanRows();
    if (leaks.length > 0) this.figures.failed = 1;
    return leaks.length > 0 ? leaks.slice(0, 10).join('\n') : undefined;
  }

  async end(): Promise<void> {
    await this.#till.end();
    await this.#gateway.close();
    await this.#store.dispose();
  }

  async #one(steps: readonly Step[]): Promise<void> {
    if (this.#failed && performance.now() - this.#failed.at > SHRINKING_MS) return;
    const { figures } = this;
    figures.sequences += 1;
    const scene = new Scene(this.#till, this.#gateway, `M${this.#word}-${figures.sequences}`);
    try {
      await this.#till.up();
      await this.#till.resetClocks();
      await scene.shop.open(0);
      for (const step of steps) {
        figures.steps += 1;
        await takeStep(scene, step);
        if (scene.violations.length > 0) break;
      }
      await comeToRest(scene, this.#failed !== undefined);
    } catch (error) {
      scene.blame(String(error));
      await comeToRest(scene, this.#failed !== undefined).catch(() => undefined);
    }
    for (const [deed, times] of scene.deeds) this.deeds.set(deed, (this.deeds.get(deed) ?? 0) + times);
    figures.payments += scene.transactions.length;
    figures.charges += scene.transactions.filter(({ everCaptured }) => everCaptured).length;
    for (const { refunds } of scene.transactions) figures.refunds += refunds.size;
    figures.deaths = this.#till.kills;
    figures.clockSteps = this.#till.steps;
    this.#gateway.ledger.forget(scene.shop.reference);
    this.#gateway.forget();
    if (scene.violations.length > 0) this.#fail(scene);
  }

  #fail(scene: Scene): never {
    const folder = mkdtempSync(join(tmpdir(), 'tillfront-model-'));
    const violations = [...new Set(scene.violations)].map((what) => `  - ${what}`).join('\n');
    writeFileSync(
      join(folder, 'history.txt'),
      `${violations}\n\n${scene.history.text()}\n\n${this.#till.output}\n`,
    );
    const what = `${violations}\nits history: ${join(folder, 'history.txt')}`;
    this.#failed = { at: this.#failed?.at ?? performance.now(), what };
    throw new Error(what);
  }

  #report(seed: number, path: string | null, steps: readonly Step[]): string {
    const list = steps.map((step) => `  ${JSON.stringify(step)}`).join('\n');
    return [
      `A SEQUENCE OF SEED ${seed} HAS FAILED:`,
      this.#failed?.what ?? '',
      `after:\n${list}`,
      `again: npm run model -- --seed ${seed} --path ${path ?? ''} --store ${this.#store.kind}`,
    ].join('\n');
  }
}
