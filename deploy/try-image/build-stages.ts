import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { contextFiles, ignoreLines } from './context.ts';
import { assignments, expand, parseDockerfile, type Instruction, type Stage } from './dockerfile.ts';

/** A stage as a plain directory. */
export interface Built {
  root: string;
  env: Record<string, string>;
  workdir: string;
  user: string;
  entrypoint: string[];
  healthcheck: string[];
}

export interface BuildOptions {
  /** The checkout. */
  context: string;
  /** Where to build; empty. */
  into: string;
  /** `npm ci` of everything is taken as done: the checkout's own packages are used. */
  installed: boolean;
  say: (line: string) => void;
}

/** The stage that puts Node.js and its libraries together, for which this machine stands here. */
const MACHINE = 'runtime';

/** Does the steps of the Dockerfile up to and including the wanted stages. An image that a stage begins with is this machine. */
export function buildStages(wanted: readonly string[], options: BuildOptions): Map<string, Built> {
  const { stages } = parseDockerfile(readFileSync(join(options.context, 'Dockerfile'), 'utf8'));
  const context = copyContext(options);
  const built = new Map<string, Built>();
  for (const stage of stages) {
    if (!isNeeded(stage, wanted, stages)) continue;
    options.say(`stage ${stage.name}`);
    built.set(stage.name, buildStage(stage, context, built, options));
  }
  return built;
}

function isNeeded(stage: Stage, wanted: readonly string[], stages: readonly Stage[]): boolean {
  if (wanted.includes(stage.name)) return true;
  return stages.some(
    (other) =>
      (other.from === stage.name || other.instructions.some(({ flags }) => flags['from'] === stage.name)) &&
      isNeeded(other, wanted, stages),
  );
}

/** What the engine would get, and nothing else. */
function copyContext({ context, into }: BuildOptions): string {
  const lines = ignoreLines(readFileSync(join(context, '.dockerignore'), 'utf8'));
  const target = join(into, 'context');
  for (const file of contextFiles(context, lines)) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    cpSync(join(context, file), join(target, file));
  }
  return target;
}

function buildStage(stage: Stage, context: string, built: Map<string, Built>, options: BuildOptions): Built {
  const before = built.get(stage.from);
  const root = join(options.into, stage.name);
  if (before) cpSync(before.root, root, { recursive: true, verbatimSymlinks: true });
  else mkdirSync(root, { recursive: true });
  const state: Built = {
    root,
    env: { ...(before?.env ?? { PATH: '/usr/local/bin:/usr/bin:/bin' }) },
    workdir: before?.workdir ?? '/',
    user: before?.user ?? 'root',
    entrypoint: before?.entrypoint ?? [],
    healthcheck: before?.healthcheck ?? [],
  };
  for (const instruction of stage.instructions) {
    if (stage.name === MACHINE && instruction.name === 'RUN') continue;
    apply(instruction, state, context, built, options);
  }
  return state;
}

function apply(
  { name, flags, text, line }: Instruction,
  state: Built,
  context: string,
  built: Map<string, Built>,
  options: BuildOptions,
): void {
  switch (name) {
    case 'ENV':
      for (const [variable, value] of Object.entries(assignments(text))) {
        state.env[variable] = expand(value, state.env);
      }
      return;
    case 'WORKDIR':
      state.workdir = text;
      mkdirSync(inside(state, '.'), { recursive: true });
      return;
    case 'USER':
      state.user = text;
      return;
    case 'COPY':
      copy(text, flags, state, flags['from'] === undefined ? context : stageRoot(flags['from'], built, line));
      return;
    case 'RUN':
      run(text, state, options);
      return;
    case 'ENTRYPOINT':
      state.entrypoint = JSON.parse(text) as string[];
      return;
    case 'HEALTHCHECK':
      state.healthcheck = JSON.parse(text.slice(text.indexOf('CMD') + 3)) as string[];
      return;
    default:
      // LABEL, EXPOSE, VOLUME, STOPSIGNAL: for the engine.
      return;
  }
}

function stageRoot(name: string, built: Map<string, Built>, line: number): string {
  const root = built.get(name)?.root;
  if (root === undefined) throw new Error(`line ${line}: there is no stage ${name} above`);
  return root;
}

/** A path of the image on this machine. */
function inside({ root, workdir }: Built, path: string): string {
  return isAbsolute(path) ? join(root, path) : join(root, workdir, path);
}

function copy(text: string, flags: Record<string, string>, state: Built, from: string): void {
  const words = text.split(/\s+/);
  const target = words.pop() ?? '';
  for (const source of words) {
    const path = join(from, source);
    if (!existsSync(path)) throw new Error(`COPY ${source}: it is not there, or .dockerignore keeps it out`);
    const folder = statSync(path).isDirectory();
    const into = !folder && (target.endsWith('/') || words.length > 1 || target === '.');
    const end = into ? join(inside(state, target), basename(source)) : inside(state, target);
    mkdirSync(dirname(end), { recursive: true });
    cpSync(path, end, { recursive: true, verbatimSymlinks: true });
    const [uid, gid] = (flags['chown'] ?? '').split(':').map(Number);
    if (uid !== undefined && gid !== undefined && process.getuid?.() === 0) chownSync(end, uid, gid);
  }
}

const WHOLE_INSTALL = /^npm ci(?: --no-audit| --no-fund)*$/;

function run(text: string, state: Built, { installed, context, say }: BuildOptions): void {
  const command = text.replaceAll(/--mount=\S+\s+/g, '');
  const cwd = inside(state, '.');
  if (installed && WHOLE_INSTALL.test(command)) {
    say(`  taken as done: ${command}`);
    symlinkSync(join(context, 'node_modules'), join(cwd, 'node_modules'));
    return;
  }
  say(`  ${command.slice(0, 100)}`);
  const result = spawnSync('sh', ['-ec', command], {
    cwd,
    encoding: 'utf8',
    env: {
      ...state.env,
      // The Node.js that runs this stands for the image's.
      PATH: `${dirname(process.execPath)}:${state.env['PATH'] ?? ''}`,
      HOME: process.env['HOME'] ?? '/root',
    },
  });
  if (result.status !== 0) throw new Error(`${command}\n${result.stdout}\n${result.stderr}`);
}
