// The pages' static files.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pageAssets } from '#http/html/assets.ts'
import { sharedScript } from '#http/html/page-scripts.ts'
import { passkeyScript } from './passkey-script.ts'
import { style } from './style.ts'

// The package exports only modules; its browser file is next to them.
const webAuthn = path.resolve(
  path.dirname(createRequire(import.meta.url).resolve('@simplewebauthn/browser')),
  '../dist/bundle/index.umd.min.js',
)

export const assets = pageAssets(style, {
  webauthn: readFileSync(webAuthn, 'utf8'),
  passkeys: passkeyScript,
  shared: sharedScript(),
})
