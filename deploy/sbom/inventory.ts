import { nodeRuntime, type Component } from './node-runtime.ts';

/** An inventory as `npm sbom --sbom-format cyclonedx` writes it, as far as it is changed here. */
export interface Inventory {
  metadata: { component: { 'bom-ref': string; type: string; name: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** `package-lock.json`, as far as it says what is installed where. */
export interface Lockfile {
  packages: Readonly<
    Record<
      string,
      { name?: string; version?: string; dev?: boolean; optional?: boolean; devOptional?: boolean }
    >
  >;
}

/**
 * The inventory of what is delivered, out of npm's inventory of everything: what `npm ci --omit=dev --omit=optional` installs, and the
 * Node.js that runs it. (`npm sbom --omit` leaves out what anything of development needs too, axios and Nest among it.) npm also takes
 * the project's name from the folder, and it for a library.
 */
export function delivered(
  ofNpm: Inventory,
  from: {
    project: { name: string };
    lockfile: Lockfile;
    versions: Readonly<Record<string, string | undefined>>;
  },
): Inventory {
  const node = nodeRuntime(from.versions);
  const root = ofNpm.metadata.component;
  const parts = (node.components ?? []).map((part) => part['bom-ref']);
  const kept = installed(from.lockfile);
  return {
    ...ofNpm,
    metadata: { ...ofNpm.metadata, component: { ...root, type: 'application', name: from.project.name } },
    components: [node, ...ofNpm.components.filter((component) => kept.has(component['bom-ref']))],
    dependencies: [
      ...ofNpm.dependencies
        .filter(({ ref }) => ref === root['bom-ref'] || kept.has(ref))
        .map(({ ref, dependsOn }) => ({
          ref,
          dependsOn: [
            ...dependsOn.filter((one) => kept.has(one)),
            ...(ref === root['bom-ref'] ? [node['bom-ref']] : []),
          ],
        })),
      { ref: node['bom-ref'], dependsOn: parts },
      ...parts.map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}

/** `name@version` of each package that is neither for development only nor optional. */
function installed({ packages }: Lockfile): ReadonlySet<string> {
  return new Set(
    Object.entries(packages)
      .filter(([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional)
      .map(
        ([path, { name, version = '' }]) => `${name ?? path.split('node_modules/').at(-1) ?? ''}@${version}`,
      ),
  );
}
