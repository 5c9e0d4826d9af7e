import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleScript, bundleStyle } from './bundle.ts';
import { kitDeclarations } from './declarations.ts';
import { languageFiles } from './languages.ts';
import { contentHash, PageFiles, type PageFile } from './page-files.ts';

const browserFolder = fileURLToPath(new URL('../', import.meta.url));

/** Builds the browser files into `dist/pages/files`, and the npm package into `browser/dist`. */
export async function buildPages(): Promise<void> {
  const files = new PageFiles();
  const [kit, declarations] = await Promise.all([bundleScript('kit/tillfront.ts'), kitDeclarations()]);
  addKit(files, { 'tillfront.js': kit, 'tillfront.d.ts': declarations });
  for (const { content, path } of await languageFiles()) files.add(`kit/${path}`, content, 'immutable');
  await addPage(files, { name: 'checkout', folder: 'checkout', root: '' });
  await addPage(files, { name: 'frame', folder: 'checkout', root: '../', script: 'checkout' });
  await addPage(files, { name: 'console', folder: 'console', root: '' });
  await files.write(join(browserFolder, '../dist/pages/files'));
  await writePackage(kit, declarations);
}

/** Publishes each file at a stable address and, as a version that never changes, at an address with a hash of its content. */
function addKit(files: PageFiles, contents: { 'tillfront.js': string; 'tillfront.d.ts': string }): void {
  const version = contentHash(contents['tillfront.js']);
  const listed = Object.entries(contents).map(([name, content]) => {
    files.add(`kit/${name}`, content, 'revalidate');
    const { path, integrity } = files.add(`kit/${version}/${name}`, content, 'immutable');
    return [name, { path: `/${path}`, integrity }] as const;
  });
  const integrity = { version, files: Object.fromEntries(listed) as Record<string, unknown> };
  files.add('kit/integrity.json', `${JSON.stringify(integrity, undefined, 2)}\n`, 'revalidate');
}

interface PageSource {
  /** Of its markup. */
  name: string;
  /** Where its parts are, and below which address the service serves them. */
  folder: string;
  /** The way from the page's address to the service's. */
  root: '' | '../';
  /** Of its script and style, where not its own. */
  script?: string;
}

/**
 * A complete page: its markup with the addresses of script, style and icon filled in. Addresses are relative, so that the
 * service may be deployed below a path.
 */
async function addPage(files: PageFiles, { name, folder, root, script = name }: PageSource): Promise<void> {
  const add = (extension: string, content: string): PageFile =>
    files.add(`${folder}/${script}-${contentHash(content)}.${extension}`, content, 'immutable');
  const code = add('js', await bundleScript(await scriptOf(folder, script)));
  const style = add('css', await bundleStyle(`${folder}/${script}.css`));
  const icon = add('svg', await readFile(join(browserFolder, folder, 'icon.svg'), 'utf8'));
  const attributes = (file: PageFile): string => `"${root}${file.path}" integrity="${file.integrity}"`;
  const page = await readFile(join(browserFolder, folder, `${name}.html`), 'utf8');
  const filled = page
    .replace('"%style%"', attributes(style))
    .replace('"%script%"', attributes(code))
    .replace('"%icon%"', `"${root}${icon.path}"`);
  files.add(`${name}.html`, filled, 'revalidate');
}

/** The page's entry, with or without JSX. */
async function scriptOf(folder: string, name: string): Promise<string> {
  const names = await readdir(join(browserFolder, folder));
  return `${folder}/${name}.${names.includes(`${name}.tsx`) ? 'tsx' : 'ts'}`;
}

/** Writes the files that `npm pack` in `browser/` packs. */
async function writePackage(kit: string, declarations: string): Promise<void> {
  const folder = join(browserFolder, 'dist');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tillfront.js'), kit);
  await writeFile(join(folder, 'tillfront.d.ts'), declarations);
}
