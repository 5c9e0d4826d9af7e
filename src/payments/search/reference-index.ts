import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { timeBound, timeOfId } from '../../store/ids.js';
import { Store } from '../../store/store.js';

/** Stand before and after a reference, so that its beginning and its end are parts of it like any other. No reference holds them. */
const BEFORE = '^^';
const AFTER = '$$';
/** The index is made of every three characters in a row. */
const GRAM = 3;

/** A part shorter than this is only looked for at the beginning and the end. */
const INSIDE_FROM = 4;

/** Payments begun at about the same time may be committed in another order. */
const OVERLAP_MS = 30_000;
const AT_ONCE = 500;
/** How often so many are looked at and some of them added while somebody waits. */
const MOST_TURNS = 40;
/** How many of the newest payments are looked at before the index is asked: it must put all that it finds into their order. */
const NEWEST = 5_000;
/** How many of those that the index finds are looked up at once, the newest first. */
const CANDIDATES = 1_000;

/** What a part of a reference looks like in the index; several where it may be its beginning or its end. Pure. */
export function patternsOf(part: string): string[] {
  const text = part.toLowerCase();
  return text.length < INSIDE_FROM ? [`${BEFORE}${text}`, `${text}${AFTER}`] : [text];
}

/** Every three characters in a row. Pure. */
export function gramsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - GRAM + 1) }, (_, at) => text.slice(at, at + GRAM));
}

/** What a whole reference looks like in it. Pure. */
export function wholeOf(reference: string): string {
  return `${BEFORE}${reference.toLowerCase()}${AFTER}`;
}

/**
 * Finds payments by a part of their reference: by an index of every three characters, which each store brings along (FTS5, GIN). It is filled
 * beside the payments, so that it costs them nothing, and whatever it lacks is added from them.
 */
@Injectable()
export class ReferenceIndex {
  constructor(private readonly store: Store) {}

  /** The newest payments with one of these in their reference, before a payment; at most `limit`. */
  async find(patterns: readonly string[], limit: number, before: string | undefined): Promise<string[]> {
    if (this.store.kind === 'embedded') return this.findOnSqlite(patterns, limit, before);
    const newest = await this.findNewest(patterns, limit, before);
    return newest.length === limit ? newest : this.findByGrams(patterns, limit, before);
  }

  /**
   * Adds payments that were begun since the last ones. Those that are there already take no turn: where more begin within the overlap than
   * all turns look at, it would never get beyond them.
   */
  async catchUp(mostTurns = MOST_TURNS): Promise<void> {
    const { rows } = await sql<{ last: string | null }>`
      select max(payment_id) as last from search_references`.execute(this.store.db);
    const last = rows[0]?.last;
    const since = last ? timeOfId(last) : this.store.clock.now();
    let after: string | undefined = timeBound('pay', since - OVERLAP_MS);
    for (let turn = 0; after !== undefined && turn < mostTurns;) {
      const looked: { after: string | undefined; added: number } = await this.addAfter(after, AT_ONCE);
      after = looked.after;
      if (looked.added > 0) turn += 1;
    }
  }

  /**
   * Looks at the payments after one, at most `most`, and adds those that are missing. `after`: the last of them, unless these were all;
   * `added`: how many were missing.
   */
  async addAfter(after: string, most: number): Promise<{ after: string | undefined; added: number }> {
    const { db } = this.store;
    const { rows: ends } = await sql<{ id: string }>`
      select id from payments where id > ${after} order by id limit 1 offset ${most - 1}`.execute(db);
    const end = ends[0]?.id;
    const upToEnd = end === undefined ? sql`true` : sql`id <= ${end}`;
    // Each is looked up: a join might go through the whole index instead.
    const { rows: missing } = await sql<Candidate>`
      select id, reference from payments where id > ${after} and ${upToEnd}
        and (select payment_id from search_references where payment_id = payments.id) is null`.execute(db);
    if (missing.length > 0) {
      const words = missing.map(({ id, reference }) => sql`(${id}, ${this.wordsOf(reference)})`);
      await sql`
        insert into search_references (payment_id, words) values ${sql.join(words)}
        on conflict do nothing`.execute(db);
    }
    return { after: end, added: missing.length };
  }

  private wordsOf(reference: string): string {
    const whole = wholeOf(reference);
    return this.store.kind === 'embedded' ? whole : gramsOf(whole).join(' ');
  }

  private async findOnSqlite(
    patterns: readonly string[],
    limit: number,
    before: string | undefined,
  ): Promise<string[]> {
    const match = patterns.map((pattern) => `"${pattern}"`).join(' OR ');
    // They are in the order in which they were added, which is that of the payments but for some of the same seconds.
    const bound =
      before === undefined
        ? sql``
        : sql`and search_words.rowid < coalesce((
            select number from search_references where payment_id >= ${before} order by payment_id limit 1), 9e15)`;
    const { rows } = await sql<{ id: string }>`
      select payment_id as id from search_words
      join search_references on search_references.number = search_words.rowid
      where search_words match ${match} ${bound}
      order by search_words.rowid desc limit ${limit}`.execute(this.store.db);
    return rows.map(({ id }) => id);
  }

  /** Among so many of the newest payments. */
  private async findNewest(
    patterns: readonly string[],
    limit: number,
    before: string | undefined,
  ): Promise<string[]> {
    const { rows } = await sql<Candidate>`
      select payment_id as id, reference
      from (select payment_id, words from search_references where ${olderThan(before)}
        order by payment_id desc limit ${NEWEST}) as search_references
      join payments on payments.id = payment_id
      where ${hasGrams(patterns)} order by payment_id desc`.execute(this.store.db);
    return fitting(rows, patterns).slice(0, limit);
  }

  /** Among all. */
  private async findByGrams(
    patterns: readonly string[],
    limit: number,
    before: string | undefined,
  ): Promise<string[]> {
    const found: string[] = [];
    for (let place = before; ;) {
      // Materialized, so that the index finds them: otherwise all payments are gone through from the newest on. Of many only the first are
      // looked up.
      const { rows } = await sql<Candidate>`
        with all_of_them as materialized (
          select payment_id from search_references where ${olderThan(place)} and (${hasGrams(patterns)}))
        select payment_id as id, reference
        from (select payment_id from all_of_them order by payment_id desc limit ${CANDIDATES}) as candidates
        join payments on payments.id = payment_id order by payment_id desc`.execute(this.store.db);
      found.push(...fitting(rows, patterns));
      if (found.length >= limit || rows.length < CANDIDATES) return found.slice(0, limit);
      place = rows.at(-1)?.id;
    }
  }
}

/** A payment whose reference has the characters of a part, perhaps not next to each other. */
interface Candidate {
  readonly id: string;
  readonly reference: string;
}

const olderThan = (before: string | undefined): RawBuilder<unknown> =>
  before === undefined ? sql`true` : sql`payment_id < ${before}`;

function hasGrams(patterns: readonly string[]): RawBuilder<unknown> {
  const each = patterns.map(
    (pattern) => sql`string_to_array(search_references.words, ' ') @> ${gramsOf(pattern)}::text[]`,
  );
  return sql.join(each, sql` or `);
}

function fitting(candidates: readonly Candidate[], patterns: readonly string[]): string[] {
  return candidates.flatMap(({ id, reference }) => {
    const whole = wholeOf(reference);
    return patterns.some((pattern) => whole.includes(pattern)) ? id : [];
  });
}
