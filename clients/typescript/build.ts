// Builds the npm package into a folder: ES modules and CommonJS, each with its types, and no
// dependencies to install. See docs/decisions/0111-ship-a-library-without-dependencies.md.

import { cp, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { model } from '../generate/model.ts'
import { writeTypescript } from '../generate/typescript/typescript.ts'
import manifest from './manifest.json' with { type: 'json' }

const here = import.meta.dir
const clients = path.dirname(here)
const root = path.dirname(clients)

/** The package's entry points and their source files. */
const entries = { index: 'sdk', webhooks: 'webhooks', testing: 'testing' } as const

/** The manifest selects one of these files by runtime, because only servers have proxies. */
const chosen = { network: 'network/network', plain: 'network/plain' } as const
const choice: Plugin = {
  name: 'what the manifest chooses',
  resolveId: source =>
    source === './network/network.ts' ? { id: '#network', external: true } : null,
}

async function bundle(to: string): Promise<void> {
  const input = Object.fromEntries(
    Object.entries({ ...entries, ...chosen }).map(([name, file]) => [
      name,
      path.join(here, `src/${file}.ts`),
    ]),
  )
  const built = await rolldown({ input, platform: 'neutral', treeshake: true, plugins: [choice] })
  for (const format of ['esm', 'cjs'] as const) {
    await built.write({
      dir: path.join(to, format),
      format,
      entryFileNames: '[name].js',
      chunkFileNames: 'shared-[name].js',
      // Entries share these chunks, so a class is the same class in every entry.
      exports: 'named',
      // The type declarations keep their comments, which editors show.
      comments: false,
    })
  }
  await built.close()
}

async function declare(to: string): Promise<void> {
  const compiler = path.join(root, 'node_modules/.bin/tsc')
  const outDir = path.join(to, 'esm/types')
  const args = ['--project', path.join(here, 'tsconfig.json'), '--outDir', outDir]
  const done = Bun.spawnSync([compiler, ...args])
  if (done.exitCode !== 0) throw new Error(`${done.stdout}${done.stderr}`)
  for (const name of new Bun.Glob('**/*.d.ts').scanSync({ cwd: outDir })) {
    const file = path.join(outDir, name)
    const text = await Bun.file(file).text()
    await Bun.write(file, text.replaceAll(/(from '\.[^']*|import\("\.[^"]*)\.ts(['"])/g, '$1.js$2'))
  }
  for (const [name, file] of Object.entries(entries)) {
    await Bun.write(path.join(to, `esm/${name}.d.ts`), `export * from './types/${file}.js'\n`)
  }
  await cp(outDir, path.join(to, 'cjs/types'), { recursive: true })
  for (const name of Object.keys(entries)) {
    await cp(path.join(to, `esm/${name}.d.ts`), path.join(to, `cjs/${name}.d.ts`))
  }
}

/** Writes the package to this folder, and returns its manifest. */
export async function buildPackage(to: string): Promise<typeof manifest> {
  await rm(to, { recursive: true, force: true })
  await mkdir(to, { recursive: true })
  await writeTypescript(model)
  await Promise.all([bundle(to), declare(to)])
  const imports = JSON.stringify(manifest.imports).replaceAll('./esm/', './')
  const commonjs = `{ "type": "commonjs", "imports": ${imports} }\n`
  await Bun.write(path.join(to, 'cjs/package.json'), commonjs)
  // The manifest has another name here, because in the repository this folder isn't a package.
  await cp(path.join(here, 'manifest.json'), path.join(to, 'package.json'))
  for (const name of ['README.md', 'CHANGELOG.md'])
    await cp(path.join(here, name), path.join(to, name))
  await cp(path.join(clients, 'LICENSE'), path.join(to, 'LICENSE'))
  const vectors = path.join(root, 'contract/vectors/webhook-signatures.json')
  await cp(vectors, path.join(to, 'vectors.json'))
  return manifest
}
