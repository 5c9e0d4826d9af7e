import { join } from 'node:path';
import ts from 'typescript';
import type { Manifest } from './helm.js';

/** A kind of Kubernetes as its package has it. */
type Model = new (data: Manifest) => { validate(): void };

/** The packages that know a kind: Kubernetes 1.35's own, and those of the Prometheus operator. */
function moduleOf({ apiVersion, kind }: Manifest): string {
  const owner = apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models';
  return `${owner}/${apiVersion}/${kind}`;
}

/** Where manifests are not what the API of Kubernetes takes, each as one sentence: by the schema, and what it does not know at all. */
export async function faultsOfManifests(manifests: readonly Manifest[]): Promise<string[]> {
  const faults: string[] = [];
  for (const manifest of manifests) {
    const models = (await import(moduleOf(manifest))) as Record<string, Model | undefined>;
    const { [manifest.kind]: Kind } = models;
    if (!Kind) throw new Error(`no package knows ${manifest.apiVersion} ${manifest.kind}`);
    try {
      new Kind(manifest).validate();
    } catch (error) {
      faults.push(`${manifest.kind}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return [...faults, ...strangers(manifests)];
}

/** The schemas take any other field too, as the API does without `--validate=strict`. The compiler refuses what a type does not name. */
function strangers(manifests: readonly Manifest[]): string[] {
  const file = join(process.cwd(), 'test/deploy/manifests-as-types.ts');
  const text = manifests
    .map((one, index) => {
      const type = `import('${moduleOf(one)}').I${one.kind}`;
      return `export const manifest${index}: ${type} = ${JSON.stringify(one)};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    ...{ target: ts.ScriptTarget.ES2024, types: [], strict: true, skipLibCheck: true, noEmit: true },
  };
  const files = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...files,
    readFile: (name) => (name === file ? text : files.readFile(name)),
    fileExists: (name) => name === file || files.fileExists(name),
    getSourceFile: (name, language, ...rest) =>
      name === file
        ? ts.createSourceFile(name, text, language)
        : files.getSourceFile(name, language, ...rest),
  };
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
