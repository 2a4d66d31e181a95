// The files that pages load: a stylesheet, scripts, the site's fonts and the icon. The stylesheet
// and scripts are named by their content, so browsers keep them until they change.
import { daySeconds } from '#contract/moments.ts'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { brotliCompressSync, constants } from 'node:zlib'
import { ranges, weightNamed } from '../accept.ts'

export type Asset = { readonly type: string; readonly content: string | Uint8Array }

export type PageAssets = {
  readonly stylePath: string
  /** The scripts, in the order they run. */
  readonly scriptPaths: readonly string[]
  /** The files, by path. */
  readonly files: Readonly<Record<string, Asset>>
}

const resolver = createRequire(import.meta.url)
const font = (file: string): Asset => ({
  type: 'font/woff2',
  content: readFileSync(resolver.resolve(`@fontsource-variable/${file}.woff2`)),
})

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5b41"/><path d="M22.9 19.2A8 8 0 1 1 22.9 12.8" fill="none" stroke="#fbfaf6" stroke-width="2.8"/><circle cx="23.6" cy="16" r="3.1" fill="#fbfaf6"/></svg>\n'

const fixed: Readonly<Record<string, Asset>> = {
  '/assets/inter.woff2': font('inter/files/inter-latin-wght-normal'),
  '/assets/newsreader.woff2': font('newsreader/files/newsreader-latin-opsz-normal'),
  '/assets/jetbrains-mono.woff2': font('jetbrains-mono/files/jetbrains-mono-latin-wght-normal'),
  '/assets/favicon.svg': { type: 'image/svg+xml', content: icon },
}

const versioned = (name: string, extension: string, content: string) =>
  `/assets/${name}.${new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 10)}.${extension}`

/** `scripts` maps each script's name to its source text. */
export function pageAssets(
  style: string,
  scripts: Readonly<Record<string, string>> = {},
): PageAssets {
  const stylePath = versioned('style', 'css', style)
  const named = Object.entries(scripts).map(
    ([name, content]) => [versioned(name, 'js', content), content] as const,
  )
  return {
    stylePath,
    scriptPaths: named.map(([path]) => path),
    files: {
      ...fixed,
      [stylePath]: { type: 'text/css; charset=utf-8', content: style },
      ...Object.fromEntries(
        named.map(([path, content]) => [path, { type: 'text/javascript; charset=utf-8', content }]),
      ),
    },
  }
}

const compressed = new WeakMap<Asset, Uint8Array<ArrayBuffer>>()

/** Compresses a text once, when it's first requested: that takes a few milliseconds, and a start
 *  shouldn't wait for it. */
function brotliOf(asset: Asset): Uint8Array<ArrayBuffer> {
  const known = compressed.get(asset)
  if (known !== undefined) return known
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  const bytes = new Uint8Array(brotliCompressSync(asset.content, { params }))
  compressed.set(asset, bytes)
  return bytes
}

/** Responds with an asset. Its text is compressed if the browser accepts brotli, as all do over
 *  TLS. Fonts are already compressed. */
export function assetResponse(asset: Asset, accepted: string | null): Response {
  const headers = {
    'content-type': asset.type,
    'cache-control': `public, max-age=${daySeconds}`,
    'x-content-type-options': 'nosniff',
  }
  const { content } = asset
  if (typeof content !== 'string') return new Response(content as BodyInit, { headers })
  const varied = { ...headers, vary: 'Accept-Encoding' }
  const takesBrotli = (weightNamed(ranges(accepted ?? ''), 'br') ?? 0) > 0
  if (!takesBrotli) return new Response(content, { headers: varied })
  return new Response(brotliOf(asset), { headers: { ...varied, 'content-encoding': 'br' } })
}
