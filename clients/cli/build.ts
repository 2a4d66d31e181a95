// Builds the CLI: in parts that load on demand, and with the content it shows offline.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fill } from '#content/fill.ts'
import { readContent } from '#content/read.ts'
import { documents } from '#contract/derive/documents.ts'
import { model } from '../generate/model.ts'
import { writeTypescript } from '../generate/typescript/typescript.ts'
import type { Guide } from './src/offline.ts'

const here = import.meta.dir
const root = path.join(here, '..', '..')

type Frontmatter = {
  readonly title: string
  readonly slug: string
  readonly description: string
  readonly order?: number
  readonly draft?: boolean
  readonly questions?: readonly string[]
}

/** The guides in the site's order. */
async function guides(): Promise<Guide[]> {
  const { docs } = await readContent(path.join(root, 'content'))
  return docs
    .map(({ data, body }) => ({ ...(data as Frontmatter), body }))
    .filter(({ draft }) => draft !== true)
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .map(({ slug, title, description, questions = [], body }) => ({
      slug,
      title: fill(title),
      description: fill(description),
      questions,
      body: fill(body),
    }))
}

/** The packages that contribute to the bundle, from its input paths. */
const packagesIn = (inputs: readonly string[]): string[] =>
  [...new Set(inputs.map(input => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? ''))]
    .filter(name => name !== '')
    .toSorted()

/** The packages' licenses, which must ship with the code. */
function licensesOf(names: readonly string[]): string {
  const texts = names.map(name => {
    const folder = path.join(root, 'node_modules', name)
    const file = readdirSync(folder).find(one => /^licen[cs]e/i.test(one))
    if (file === undefined) throw new Error(`${name} has no license to ship`)
    return `${name}\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

export async function buildCli(out: string): Promise<void> {
  rmSync(out, { recursive: true, force: true })
  await writeTypescript(model)
  const built = await Bun.build({
    entrypoints: [path.join(here, 'src', 'main.ts')],
    outdir: out,
    target: 'node',
    format: 'esm',
    splitting: true,
    minify: { syntax: true, whitespace: true, identifiers: false },
    external: ['@napi-rs/keyring'],
    metafile: true,
    naming: { entry: 'svc.js', chunk: '[name]-[hash].js' },
  })
  if (!built.success) throw new AggregateError(built.logs, 'the program could not be built')
  const libraries = packagesIn(Object.keys(built.metafile?.inputs ?? {}))
  writeFileSync(path.join(out, 'licenses.txt'), licensesOf(libraries))
  const offline = path.join(out, 'offline')
  mkdirSync(path.join(offline, 'jq'), { recursive: true })
  writeFileSync(path.join(offline, 'guides.json'), JSON.stringify(await guides()))
  for (const [name, make] of Object.entries(documents)) {
    writeFileSync(path.join(offline, name), make())
  }
  for (const name of ['jq.js', 'jq.wasm', 'LICENSE']) {
    cpSync(path.join(root, 'node_modules', 'jq-web', name), path.join(offline, 'jq', name))
  }
  writeFileSync(path.join(offline, 'jq', 'package.json'), '{ "type": "commonjs" }\n')
}
