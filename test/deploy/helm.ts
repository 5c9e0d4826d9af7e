import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { parseAllDocuments } from 'yaml';
import { CHART, type Manifest } from './chart.js';

/** A package that brings helm 3.8.1 for Linux on x64. */
const BROUGHT = 'node_modules/@aws-cdk/asset-kubectl-v20/lib/layer.zip';
/** What the chart is rendered for; without a cluster helm 3.8.1 would take one that is older than the chart allows. */
const KUBERNETES = 'v1.30.0';

/** The real helm, in a folder of its own. */
export class Helm {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tillfront-helm-'));
  readonly #program: string;

  private constructor(program: (folder: string) => string) {
    this.#program = program(this.#folder);
  }

  /** The machine's own helm, or the one that npm brings. Undefined on a machine that has none and cannot run that one. */
  static find(): Helm | undefined {
    if (spawnSync('helm', ['version']).status === 0) return new Helm(() => 'helm');
    if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
    return new Helm((folder) => {
      const name = 'helm/helm';
      const unpacked = unzipSync(readFileSync(BROUGHT), { filter: (file) => file.name === name })[name];
      if (!unpacked) throw new Error(`${BROUGHT} has no ${name}`);
      const program = join(folder, 'helm');
      writeFileSync(program, unpacked, { mode: 0o755 });
      return program;
    });
  }

  /** What `helm install` of a release `shop` would make. Throws what helm says where it refuses. */
  template(values: object): Manifest[] {
    const text = this.#run('template', 'shop', CHART, '--namespace', 'payments', ...this.#given(values));
    return parseAllDocuments(text)
      .map((document) => document.toJS() as Manifest | null)
      .filter((manifest) => manifest !== null);
  }

  /** Throws what helm finds wrong, warnings included. */
  lint(values: object): void {
    const given = this.#given(values).filter((word) => word !== '--kube-version' && word !== KUBERNETES);
    this.#run('lint', '--strict', CHART, ...given);
  }

  end(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #given(values: object): string[] {
    const file = join(this.#folder, 'values.yaml');
    // YAML is a superset of JSON.
    writeFileSync(file, JSON.stringify(values));
    return ['--values', file, '--kube-version', KUBERNETES];
  }

  #run(...args: string[]): string {
    const { status, stdout, stderr, error } = spawnSync(this.#program, args, {
      encoding: 'utf8',
      // Nothing of whoever runs the tests: neither plug-ins nor a cluster.
      env: { HOME: this.#folder },
      timeout: 30_000,
    });
    if (status !== 0) throw new Error(`${error?.message ?? ''}${stdout}${stderr}`);
    return stdout;
  }
}
