import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Metrics } from '../telemetry/metrics.js';
import { Health } from './health.js';

/** Prometheus usually asks every 15 s. */
const EVERY_MS = 5_000;

/** Shows in the metrics whether this process should get requests, and why not, as `/health/ready` says it. */
@Injectable()
export class ReadinessGauge implements OnApplicationBootstrap {
  private timer: NodeJS.Timeout | undefined;
  private looking = false;

  constructor(
    private readonly health: Health,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    void this.look();
    this.timer = setInterval(() => void this.look(), EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    // Whoever asks a store that hangs waits as well, and sends requests elsewhere.
    if (this.looking) {
      this.metrics.ready(false, 'store');
      return;
    }
    this.looking = true;
    const { status, reason } = await this.health.readiness();
    this.looking = false;
    this.metrics.ready(status === 'ready', reason);
  }
}
