import { Asker } from './asker.js';
import type { Asks } from './asks.js';
import { Checker } from './checker.js';
import { Engine } from './engine.js';
import type { OrderWriter } from './order-writer.js';
import { Prober } from './prober.js';
import { QueryRate } from './query-rate.js';
import type { Surroundings } from './surroundings.js';

/** What sends, asks and follows up, put together over one store and one gateway: by the service, and by its simulation. */
export class Parts {
  readonly asker: Asker;
  readonly prober: Prober;
  readonly engine: Engine;
  readonly checker: Checker;

  constructor(orders: OrderWriter, gateway: Asks, surroundings: Surroundings) {
    const rate = new QueryRate(surroundings.queriesPerSecond);
    this.asker = new Asker(orders, gateway, rate, surroundings);
    this.prober = new Prober(orders, this.asker, gateway);
    this.engine = new Engine(orders, gateway, this.prober, surroundings);
    this.checker = new Checker(orders, this.asker, rate, this.engine, surroundings);
  }
}
