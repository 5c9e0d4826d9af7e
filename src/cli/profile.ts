import { readFileSync } from 'node:fs';
import { checkProfile, reportLines } from '../gateway/profile/report.js';
import { triedLines, tryProfile } from '../gateway/profile/try.js';
import { CommandFailure, EXIT, type Context, type ExitCode } from './command.js';

/** Says every fault of a gateway profile, what each method asks the payer for, and each request as it would be sent. */
export async function profileCheck({ out }: Context, file: string): Promise<ExitCode> {
  const report = await checkProfile(read(file));
  out(`${reportLines(report).join('\n')}\n`);
  return report.faults.length > 0 ? EXIT.found : EXIT.done;
}

/** Shows for recorded exchanges the request, what decided and what it means. */
export async function profileTry({ out }: Context, file: string, exchanges: string): Promise<ExitCode> {
  const tried = await tryProfile(read(file), read(exchanges));
  if (typeof tried === 'string') throw new CommandFailure(tried);
  out(`${tried.map((one) => triedLines(one).join('\n')).join('\n\n')}\n`);
  return tried.some(({ asExpected }) => !asExpected) ? EXIT.found : EXIT.done;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new CommandFailure(`${file} cannot be read.`);
  }
}
