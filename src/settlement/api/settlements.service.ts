import { Inject, Injectable } from '@nestjs/common';
import { PROFILE } from '../../gateway/gateway.module.js';
import type { Profile, SettlementProfile } from '../../gateway/profile/format.js';
import { Problem } from '../../http/problems/problem.js';
import type { SettlementRecord } from '../../store/schema.js';
import { CompareFiles, type ComparedFile } from '../compare/compare-files.js';
import { ComparisonSlot, type FileToCompare } from '../compare/comparison-slot.js';
import { ordersForm, type OrdersOptions, OrdersReader } from '../files/orders-reader.js';
import { ReportReader } from '../files/report-rows.js';
import { FollowUpWorker } from '../follow/follow-up.worker.js';
import { SettlementsRepository } from '../store/settlements.repository.js';
import { UploadKeys, type Upload } from './upload-keys.js';

/** A file that is sent with a key, and by whom. */
export interface FileUpload extends Upload {
  readonly actor: string;
  /** See `Sender`. */
  readonly names: boolean;
  readonly pieces: AsyncIterable<Buffer>;
}

/** What came of a file. */
export interface Compared {
  settlement: SettlementRecord;
  /** Whether this call has made the comparison. */
  created: boolean;
  /** Whether an earlier call with the same key has. */
  replayed: boolean;
}

/** Compares settlement reports and lists of orders with the ledger. */
@Injectable()
export class SettlementsService {
  private stopped = false;

  constructor(
    private readonly repository: SettlementsRepository,
    private readonly files: CompareFiles,
    private readonly slot: ComparisonSlot,
    private readonly keys: UploadKeys,
    private readonly followUps: FollowUpWorker,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  stop(): void {
    this.stopped = true;
  }

  /** Compares a report. The same file twice is one comparison. Throws `validation-failed` for a faulty one, of which nothing is kept. */
  async compare(upload: FileUpload): Promise<Compared> {
    const shapes = this.settlementProfile();
    const reader = new ReportReader(shapes);
    return this.keyed(upload, {
      reader,
      options: {},
      replay: () => this.files.findReport(reader),
      work: (file) => this.files.compareReport(shapes, upload, file),
    });
  }

  /** Holds the merchant's own list against the ledger beside a report; it takes the place of an earlier one. */
  async compareOrders(id: string, options: OrdersOptions, upload: FileUpload): Promise<Compared> {
    this.settlementProfile();
    const form = ordersForm(options);
    await this.mustFind(id);
    return this.keyed(upload, {
      reader: new OrdersReader(form),
      options,
      replay: () => this.mustFind(id),
      work: async (file) => this.files.compareOrders(await this.mustFind(id), form, file),
    });
  }

  /** Throws `not-found`. */
  async mustFind(id: string): Promise<SettlementRecord> {
    const settlement = await this.repository.find(id);
    if (!settlement) throw new Problem('not-found', 'There is no such settlement.');
    return settlement;
  }

  /** Throws `not-supported` where the gateway has no report. */
  settlementProfile(): readonly SettlementProfile[] {
    const { settlement } = this.profile;
    if (settlement) return settlement;
    throw new Problem(
      'not-supported',
      'The gateway profile says that this gateway has no settlement report.',
    );
  }

  /** Each key does its work once. Its content is known when the file has been read. */
  private async keyed(
    upload: FileUpload,
    {
      reader,
      options,
      replay,
      work,
    }: {
      /** Reads a repeat, of which only the content matters. */
      reader: ReportReader | OrdersReader;
      options: OrdersOptions;
      replay: () => Promise<SettlementRecord | undefined>;
      work: (file: FileToCompare) => Promise<ComparedFile>;
    },
  ): Promise<Compared> {
    if (await this.keys.begin(upload)) {
      const digest = await reader.digestOf(upload.pieces);
      await this.keys.assertSame(upload, { digest, ...options });
      const settlement = await replay();
      if (!settlement) throw new Problem('not-found', 'There is no such settlement.');
      return { settlement, created: false, replayed: true };
    }
    try {
      const { digest, ...done } = await this.slot.use(
        () => this.keys.renew(upload),
        (goesOn) => work({ pieces: this.untilStopped(upload.pieces), goesOn }),
      );
      await this.keys.finish(upload, { digest, ...options });
      if (done.created) this.followUps.wake();
      return { ...done, replayed: false };
    } catch (error) {
      // A key that cannot be given back ends by itself.
      await this.keys.release(upload).catch(() => undefined);
      throw error;
    }
  }

  /** The pieces of a file, until the process is told to stop: the caller sends it to another one. */
  private async *untilStopped(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      if (this.stopped)
        throw new Problem('shutting-down', 'This process is shutting down. Try again.', {
          retryAfterSeconds: 1,
        });
      yield piece;
    }
  }
}
