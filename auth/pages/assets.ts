// The files of the pages: one stylesheet, the site's fonts and the icon.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { style } from './style.ts'

type Asset = { readonly type: string; readonly content: string | Uint8Array }

const resolver = createRequire(import.meta.url)
const font = (file: string): Asset => ({
  type: 'font/woff2',
  content: readFileSync(resolver.resolve(`@fontsource-variable/${file}.woff2`)),
})

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5b41"/><path d="M22.9 19.2A8 8 0 1 1 22.9 12.8" fill="none" stroke="#fbfaf6" stroke-width="2.8"/><circle cx="23.6" cy="16" r="3.1" fill="#fbfaf6"/></svg>\n'

const version = new Bun.CryptoHasher('sha256').update(style).digest('hex').slice(0, 10)

/** Named by its content, so that browsers keep it until it changes. */
export const stylePath = `/assets/style.${version}.css`

const assets: Readonly<Record<string, Asset>> = {
  [stylePath]: { type: 'text/css; charset=utf-8', content: style },
  '/assets/inter.woff2': font('inter/files/inter-latin-wght-normal'),
  '/assets/newsreader.woff2': font('newsreader/files/newsreader-latin-opsz-normal'),
  '/assets/jetbrains-mono.woff2': font('jetbrains-mono/files/jetbrains-mono-latin-wght-normal'),
  '/assets/favicon.svg': { type: 'image/svg+xml', content: icon },
}

export const assetPaths: readonly string[] = Object.keys(assets)

export const assetAt = (path: string): Asset | undefined =>
  Object.hasOwn(assets, path) ? assets[path] : undefined
