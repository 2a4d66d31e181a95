// The smallest built sites that a gateway serves.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sampleCatalog } from './catalog.ts'
import { sampleIndex } from './search-index.ts'

/** Build n, whose page, Markdown version, file and index all contain n. */
export function writeBuild(folder: string, n: number, files: Record<string, string> = {}): void {
  const page = { url: `/build-${n}`, title: `Build ${n}`, description: '', text: `consult ${n}` }
  const written: Record<string, string> = {
    'index.html': `<!doctype html><title>Build ${n}</title><h1>build ${n}</h1>\n`,
    'index.md': `# build ${n}\n`,
    'llms.txt': `build ${n}\n`,
    'catalog/search.json': sampleIndex([page]),
    ...sampleCatalog(n),
    ...files,
    'build.json': `{"built_from":"${n}"}`,
  }
  for (const [name, text] of Object.entries(written)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
}
