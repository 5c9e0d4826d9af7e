import jsonc, { type JSONPath } from 'jsonc-parser';
import { escapeStep, type ProfileProblem } from './check/report.js';

/** More faults than a person reads at once. */
const MAX_FAULTS = 20;

/** What is wrong with a text that is no JSON, or that says one thing twice: each with its line and column. */
export function jsonFaults(text: string): ProfileProblem[] {
  const names: Set<string>[] = [];
  const twice: ProfileProblem[] = [];
  let broken: number | undefined;
  jsonc.visit(
    text,
    {
      onObjectBegin: () => void names.push(new Set()),
      onObjectEnd: () => void names.pop(),
      onObjectProperty: (name, offset, _length, _line, _column, path) => {
        const seen = names.at(-1);
        if (seen?.has(name) && twice.length < MAX_FAULTS) {
          const at = pointerOf([...path(), name]);
          twice.push({ place: at, message: `stands twice: ${positionOf(text, offset)}` });
        }
        seen?.add(name);
      },
      onError: (_code, offset) => {
        broken ??= offset;
      },
    },
    { disallowComments: true },
  );
  if (broken !== undefined || twice.length === 0) {
    return [{ place: '', message: `is not JSON: ${positionOf(text, broken ?? text.length)}` }];
  }
  return twice;
}

function pointerOf(path: JSONPath): string {
  return path.map((step) => `/${escapeStep(String(step))}`).join('');
}

function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
