// The scripts of pages with sessions: htmx, and what `browser/pages.ts` adds. Read once, when a
// module is opened.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const htmx = createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')
const own = path.join(import.meta.dir, 'browser', 'pages.ts')

export const pageScripts = (): Readonly<Record<string, string>> => ({
  htmx: readFileSync(htmx, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'),
  pages: new Bun.Transpiler({ loader: 'ts', target: 'browser' }).transformSync(
    readFileSync(own, 'utf8'),
  ),
})
