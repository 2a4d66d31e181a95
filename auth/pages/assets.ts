// The files of the pages.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type Asset, pageAssets } from '#http/html/assets.ts'
import { passkeyScript } from './passkey-script.ts'
import { style } from './style.ts'

// Its package exports modules only, and names this file for browsers beside them.
const webAuthn = path.resolve(
  path.dirname(createRequire(import.meta.url).resolve('@simplewebauthn/browser')),
  '../dist/bundle/index.umd.min.js',
)

const assets = pageAssets(style, {
  webauthn: readFileSync(webAuthn, 'utf8'),
  passkeys: passkeyScript,
})

const { files } = assets
export const { stylePath, scriptPaths } = assets

export const assetPaths: readonly string[] = Object.keys(files)

export const assetAt = (path: string): Asset | undefined =>
  Object.hasOwn(files, path) ? files[path] : undefined
