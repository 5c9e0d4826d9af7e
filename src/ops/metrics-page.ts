import { Injectable } from '@nestjs/common';
import { Metrics } from '../telemetry/metrics.js';

/** For how long a rendering is shown. */
const RENDER_EVERY_MS = 1_000;

/** What `/metrics` shows: rendered at most once a second, however many ask. */
@Injectable()
export class MetricsPage {
  #renderedAt = -Infinity;
  #rendering: Promise<Buffer> | undefined;

  constructor(private readonly metrics: Metrics) {}

  /** The media type of {@link text}. */
  get contentType(): string {
    return this.metrics.contentType;
  }

  /** All metrics in the Prometheus text format, at most a second old. */
  text(): Promise<Buffer> {
    const now = performance.now();
    if (this.#rendering === undefined || now - this.#renderedAt >= RENDER_EVERY_MS) {
      this.#renderedAt = now;
      this.#rendering = this.metrics.render().then((text) => Buffer.from(text));
    }
    return this.#rendering;
  }
}
