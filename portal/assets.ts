// The files of the portal: its stylesheet, htmx, and its own script.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type PageAssets, pageAssets } from '#http/html/assets.ts'
import { style } from './style.ts'

const htmx = createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')
const own = path.join(import.meta.dir, 'browser', 'portal.ts')

/** Scripts are read once, when the portal is opened. */
export const portalAssets = (): PageAssets =>
  pageAssets(style, {
    htmx: readFileSync(htmx, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'),
    portal: new Bun.Transpiler({ loader: 'ts', target: 'browser' }).transformSync(
      readFileSync(own, 'utf8'),
    ),
  })
