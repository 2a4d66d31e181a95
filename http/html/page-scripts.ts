// Scripts for pages with sessions: htmx, `browser/pages.ts` and what other pages share with it, and
// the search dialog. The scripts are read once, when a module opens.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const htmx = createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')

const transpiled = (name: string) =>
  new Bun.Transpiler({ loader: 'ts', target: 'browser' }).transformSync(
    readFileSync(path.join(import.meta.dir, 'browser', `${name}.ts`), 'utf8'),
  )

/** For toasts and forms, also on pages without the other scripts. */
export const sharedScript = () => transpiled('toasts') + transpiled('double-click')

export const pageScripts = (): Readonly<Record<string, string>> => ({
  htmx: readFileSync(htmx, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'),
  pages: transpiled('pages') + sharedScript(),
  jump: transpiled('jump'),
})
