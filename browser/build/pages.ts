import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleScript, bundleStyle } from './bundle.ts';
import { kitDeclarations } from './declarations.ts';
import { languageFiles } from './languages.ts';
import { contentHash, gzippedSize, PageFiles, type PageFile } from './page-files.ts';

const browserFolder = fileURLToPath(new URL('../', import.meta.url));

export interface Figure {
  name: string;
  /** Bytes. */
  gzipped: number;
}

/** Builds the browser files. Returns the sizes that the budget limits. */
export async function buildPages(): Promise<Figure[]> {
  const files = new PageFiles();
  const [kit, packed, core, declarations] = await Promise.all([
    bundleScript('kit/tillfront.ts'),
    bundleScript('kit/tillfront.ts', 'newest'),
    bundleScript('kit/core.ts'),
    kitDeclarations(),
  ]);
  const pinnedKit = addKit(files, { kit, core, declarations });
  await addMessages(files);
  await addPage(files, { name: 'checkout', folder: 'checkout', root: '' }, pinnedKit);
  await addPage(files, { name: 'frame', folder: 'checkout', root: '../' }, pinnedKit);
  await addPage(files, { name: 'console', folder: 'console', root: '' });
  await files.write(join(browserFolder, '../dist/pages/files'));
  await writePackage({ kit: packed, core, declarations });
  return [
    { name: 'kit with element', gzipped: gzippedSize(kit) },
    { name: 'kit without element', gzipped: gzippedSize(core) },
  ];
}

interface Kit {
  kit: string;
  core: string;
  declarations: { kit: string; core: string };
}

/** Publishes each file at a stable address and, as a version that never changes, at an address with a hash of its content. */
function addKit(files: PageFiles, { kit, core, declarations }: Kit): PageFile {
  const version = contentHash(kit + core);
  const contents = {
    'tillfront.js': kit,
    'tillfront-core.js': core,
    'tillfront.d.ts': declarations.kit,
    'tillfront-core.d.ts': declarations.core,
  };
  const pinned = Object.entries(contents).map(([name, content]) => {
    files.add(`kit/${name}`, content, 'revalidate');
    return { name, file: files.add(`kit/${version}/${name}`, content, 'immutable') };
  });
  const listed = pinned.map(({ name, file }) => [name, { path: `/${file.path}`, integrity: file.integrity }]);
  const integrity = { version, files: Object.fromEntries(listed) as Record<string, unknown> };
  files.add('kit/integrity.json', `${JSON.stringify(integrity, undefined, 2)}\n`, 'revalidate');
  const main = pinned.find(({ name }) => name === 'tillfront.js');
  if (main === undefined) throw new Error('the kit was not built');
  return main.file;
}

/** Each language at the address that the kit knows, and at one that pages of another version of the kit find. */
async function addMessages(files: PageFiles): Promise<void> {
  for (const { language, content, path } of await languageFiles()) {
    files.add(`kit/${path}`, content, 'immutable');
    files.add(`kit/messages/${language}.json`, content, 'revalidate');
  }
}

interface PageSource {
  /** Of its markup, script and style. */
  name: string;
  /** Where they are, and below which address the service serves them. */
  folder: string;
  /** The way from the page's address to the service's. */
  root: '' | '../';
}

/**
 * A complete page: its markup with the addresses of script, style and icon filled in. Addresses are relative, so that the
 * service may be deployed below a path.
 */
async function addPage(files: PageFiles, { name, folder, root }: PageSource, kit?: PageFile): Promise<void> {
  const add = (extension: string, content: string): PageFile =>
    files.add(`${folder}/${name}-${contentHash(content)}.${extension}`, content, 'immutable');
  const script = add('js', await bundleScript(await scriptOf(folder, name)));
  const style = add('css', await bundleStyle(`${folder}/${name}.css`));
  const icon = add('svg', await readFile(join(browserFolder, folder, 'icon.svg'), 'utf8'));
  const attributes = (file: PageFile): string => `"${root}${file.path}" integrity="${file.integrity}"`;
  const page = await readFile(join(browserFolder, folder, `${name}.html`), 'utf8');
  const filled = page
    .replace('"%style%"', attributes(style))
    .replace('"%script%"', attributes(script))
    .replace('"%icon%"', `"${root}${icon.path}"`)
    .replace('"%kit%"', kit === undefined ? '""' : attributes(kit));
  files.add(`${name}.html`, filled, 'revalidate');
}

/** The page's entry, with or without JSX. */
async function scriptOf(folder: string, name: string): Promise<string> {
  const names = await readdir(join(browserFolder, folder));
  return `${folder}/${name}.${names.includes(`${name}.tsx`) ? 'tsx' : 'ts'}`;
}

/** Writes the files that `npm pack` in `browser/` packs. */
async function writePackage({ kit, core, declarations }: Kit): Promise<void> {
  const folder = join(browserFolder, 'dist');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tillfront.js'), kit);
  await writeFile(join(folder, 'tillfront.d.ts'), declarations.kit);
  await writeFile(join(folder, 'tillfront-core.js'), core);
  await writeFile(join(folder, 'tillfront-core.d.ts'), declarations.core);
}
