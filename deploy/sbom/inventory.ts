import { createHash } from 'node:crypto';
import { nodeRuntime, type Component } from './node-runtime.ts';

/** An inventory as `npm sbom --sbom-format cyclonedx` writes it, as far as it is changed here. */
export interface Inventory {
  serialNumber?: string;
  metadata: {
    timestamp?: string;
    component: { 'bom-ref': string; type: string; name: string };
  };
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
 * the project's name from the folder, and it for a library. Nothing in it tells when it was made, so that the same commit always
 * has the same: npm's time is left out, and the serial number follows from the content.
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
  const { serialNumber: _random, ...content } = ofNpm;
  const { timestamp: _now, ...metadata } = ofNpm.metadata;
  return numbered({
    ...content,
    metadata: { ...metadata, component: { ...root, type: 'application', name: from.project.name } },
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
  });
}

/** With a serial number made of its content: a UUID of version 8, as RFC 9562 has it for those of one's own making. */
function numbered(inventory: Inventory): Inventory {
  const hash = createHash('sha256').update(JSON.stringify(inventory)).digest('hex');
  const uuid = [
    ...[hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`],
    hash.slice(20, 32),
  ].join('-');
  return { serialNumber: `urn:uuid:${uuid}`, ...inventory };
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
