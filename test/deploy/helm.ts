import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { parse, parseAllDocuments } from 'yaml';

export const CHART = 'deploy/helm/tillfront';

/** A package that brings helm 3.8.1 for Linux on x64. */
const BROUGHT = 'node_modules/@aws-cdk/asset-kubectl-v20/lib/layer.zip';
/** What the chart is rendered for. Without a cluster helm takes one that is older than the chart allows. */
const KUBERNETES = 'v1.30.0';

/** One object that the chart makes. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  // The tests know what they look for.
  spec?: unknown;
  data?: Record<string, string>;
}

/** The real helm: the machine's own, or the one that npm brings. */
export class Helm {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tillfront-helm-'));
  readonly #program: string;

  constructor() {
    if (spawnSync('helm', ['version']).status === 0) {
      this.#program = 'helm';
      return;
    }
    const name = 'helm/helm';
    const unpacked = unzipSync(readFileSync(BROUGHT), { filter: (file) => file.name === name })[name];
    if (!unpacked) throw new Error(`${BROUGHT} has no ${name}`);
    this.#program = join(this.#folder, 'helm');
    writeFileSync(this.#program, unpacked, { mode: 0o755 });
  }

  /** What `helm install` of a release `shop` would make. Throws what helm says where it refuses. */
  template(values: object): Manifest[] {
    const text = this.#run('template', 'shop', CHART, '--kube-version', KUBERNETES, ...this.#given(values));
    return parseAllDocuments(text)
      .map((document) => document.toJS() as Manifest | null)
      .filter((manifest) => manifest !== null);
  }

  /** Throws what helm finds wrong, warnings included. */
  lint(values: object): void {
    this.#run('lint', '--strict', CHART, ...this.#given(values));
  }

  /** The names of the files of the packaged chart. */
  packaged(): string[] {
    this.#run('package', CHART, '--destination', this.#folder);
    const { version } = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as { version: string };
    const { stdout } = spawnSync('tar', ['-tzf', join(this.#folder, `tillfront-${version}.tgz`)], {
      encoding: 'utf8',
    });
    return stdout.trim().split('\n');
  }

  end(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #given(values: object): string[] {
    const file = join(this.#folder, 'values.yaml');
    // YAML is a superset of JSON.
    writeFileSync(file, JSON.stringify(values));
    return ['--namespace', 'payments', '--values', file];
  }

  #run(...args: string[]): string {
    const { status, stdout, stderr, error } = spawnSync(this.#program, args, {
      encoding: 'utf8',
      // Nothing of the person who runs the tests: neither plug-ins nor a cluster.
      env: { HOME: this.#folder },
      timeout: 60_000,
    });
    if (status !== 0) throw new Error(`${error?.message ?? ''}${stdout}${stderr}`);
    return stdout;
  }
}
