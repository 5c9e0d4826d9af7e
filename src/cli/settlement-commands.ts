import type { Command } from 'commander';
import { DIFFERENCE_KINDS, FORMER_DIFFERENCE_KINDS } from '../settlement/difference.js';
import { type Register, choice, single, text, wholeNumber, wholeNumbers } from './register.js';

/** Commands for the gateway's settlement reports. */
export function addSettlementCommands(settlement: Command, register: Register): void {
  register(
    settlement
      .command('compare')
      .description('compares a report (CSV); exits with 1 if anything differs, with 4 if the file is faulty')
      .argument('<file>', "the gateway's settlement report"),
    {
      orders: text('--orders <file>', 'also your own list: reference,amount,currency,status'),
      columns: text(
        '--columns <names>',
        'columns of it with other names: reference=order_number,amount=total',
      ),
      paid: text('--paid <words>', 'the words of its status that mean paid, separated by commas'),
      refunded: text('--refunded <words>', 'those that mean given back whole'),
      free: text('--free <words>', 'those of an order for which nothing is to be paid'),
    },
    async (context, { orders, ...options }, [file]) =>
      (await import('./commands/settlement-compare.js')).compareSettlement(context, {
        file: single(file),
        orders,
        options,
      }),
  );
  register(
    settlement
      .command('adopt')
      .description(
        'takes over payments that a report names and that are unknown here; asks the gateway first',
      )
      .argument('<settlement>', 'id of a settlement'),
    {
      rows: wholeNumbers(
        '--rows <lines>',
        'only these lines of the report, separated by commas; the header is 1',
      ),
    },
    async (context, { rows }, [id]) =>
      (await import('./commands/settlements.js')).adoptSettlement(context, {
        id: single(id),
        rows,
      }),
  );
  register(
    settlement.command('list').description('lists the reports that were compared, newest first'),
    { limit: wholeNumber('--limit <number>', 'the most to list', { min: 1, max: 10_000, fallback: 50 }) },
    async (context, { limit }) => (await import('./commands/settlements.js')).listSettlements(context, limit),
  );
  register(
    settlement
      .command('show')
      .description('shows a report and its differences')
      .argument('<settlement>', 'id of a settlement'),
    {
      kind: choice('--kind <kind>', 'only differences of this kind', [
        ...DIFFERENCE_KINDS,
        ...FORMER_DIFFERENCE_KINDS,
      ]),
    },
    async (context, { kind }, [id]) =>
      (await import('./commands/settlements.js')).showSettlement(context, { id: single(id), kind }),
  );
}
