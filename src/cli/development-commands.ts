import { Argument, type Command } from 'commander';
import { TRIGGERS } from './commands/triggers.js';
import { flag, neededText, type Register, text, textOr, wholeNumber } from './register.js';

/** Commands for whoever connects a shop or a gateway, in test mode. */
export function addDevelopmentCommands(program: Command, register: Register): void {
  register(
    program
      .command('listen')
      .description('forwards new events of a service in test mode to your machine, signed'),
    {
      forward: neededText('--forward <url>', 'where to post them, such as http://localhost:8080/webhooks'),
      after: text('--after <event>', 'begins after this event; without it, with the next one'),
      count: wholeNumber('--count <number>', 'ends after so many events; 0 means with Ctrl-C', {
        min: 0,
        max: 100_000,
        fallback: 0,
      }),
    },
    async (context, options) => (await import('./commands/listen.js')).listen(context, options),
  );
  register(
    program
      .command('trigger')
      .description('makes a test payment that ends with this event; needs the sandbox gateway')
      .addArgument(new Argument('<event>', 'the type of the event').choices(TRIGGERS)),
    {},
    async (context, _options, [event]) =>
      (await import('./commands/trigger.js')).trigger(context, String(event)),
  );
  register(
    program
      .command('go-live')
      .description(
        "tries the running service against the gateway's test system, and says what that confirms",
      ),
    {
      scenarios: text(
        '--scenarios <file>',
        "test cards and amounts of the gateway's test system; without it, the sandbox's",
      ),
      report: textOr('--report <file>', 'where to write the report', 'go-live-report.md'),
      unattended: flag('--unattended', 'skips scenarios in which a person acts as the payer'),
      waitSeconds: wholeNumber('--wait <seconds>', 'how long a person may take for each step', {
        min: 1,
        max: 3600,
        fallback: 600,
      }),
      example: flag('--example', 'prints a scenarios file to begin with'),
    },
    async (context, options) => (await import('./go-live/go-live.js')).goLive(context, options),
  );
}
