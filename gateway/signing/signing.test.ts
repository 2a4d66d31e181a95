import { expect, test } from 'bun:test'
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import { calculateJwkThumbprint, flattenedVerify, type JWK } from 'jose'
import { siteAgent } from '#content/agent.ts'
import company from '#content/site.config.ts'
import { hybridCard } from '#contract/site/a2a.ts'
import type { SiteFile } from '../static/files.ts'
import { cardPaths, jwksPath, signaturePathOf, signedCatalogs } from '../static/signed-paths.ts'
import { signingKey } from './keys.ts'
import { signFiles } from './signed-files.ts'

const [newer, older] = [signingKey('n'.repeat(32)), signingKey('o'.repeat(32))]
const file = (path: string, text: string): SiteFile => ({
  path,
  bytes: new TextEncoder().encode(text),
  smaller: new Map([['br', new Uint8Array()]]),
})
const built = [
  file('/index.html', 'home'),
  ...cardPaths.map(path => file(path, JSON.stringify(hybridCard(siteAgent)))),
  ...signedCatalogs.map(path => file(path, `{"at":"${path}","text":"Zoë"}\n`)),
]
const files = signFiles([newer, older], company.site)(built)
const found = (path: string) => files.find(each => each.path === path)
const text = (path: string) => new TextDecoder().decode(found(path)?.bytes)
const published: { keys: JWK[] } = JSON.parse(text(jwksPath))

const keyOf = (kid: string | undefined) => {
  const key = published.keys.find(each => each.kid === kid)
  if (key === undefined) throw new Error(`${kid} is not published`)
  return key
}

test('signatures: the official verifier accepts the card with the published key', async () => {
  const verify = verifyAgentCardSignature(async (kid, jku) => {
    expect(jku).toBe(`${company.site}${jwksPath}`)
    return keyOf(kid)
  })
  for (const path of cardPaths) {
    await verify(AgentCard.fromJSON(JSON.parse(text(path))))
    expect(found(path)?.smaller.size).toBe(0)
  }
  expect(text(cardPaths[0] ?? '')).toBe(text(cardPaths[1] ?? ''))
  const changed = { ...JSON.parse(text(cardPaths[0] ?? '')), description: 'Another agent.' }
  await expect(verify(AgentCard.fromJSON(changed))).rejects.toThrow()
})

test('signatures: each catalog has a detached JWS of its bytes', async () => {
  for (const path of signedCatalogs) {
    const [head = '', none, signature = ''] = text(signaturePathOf(path)).trim().split('.')
    expect(none).toBe('')
    const payload = Buffer.from(found(path)?.bytes ?? []).toString('base64url')
    const jws = { protected: head, payload, signature }
    const { protectedHeader } = await flattenedVerify(jws, keyOf(newer.publicKey.kid))
    expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: newer.publicKey.kid })
    const other = { ...jws, payload: Buffer.from('{}').toString('base64url') }
    await expect(flattenedVerify(other, keyOf(newer.publicKey.kid))).rejects.toThrow()
  }
})

test('signatures: every public key is published under its thumbprint, and no private key is published', async () => {
  expect(published.keys.map(({ kid }) => kid)).toEqual(
    [newer, older].map(({ publicKey }) => publicKey.kid),
  )
  for (const key of published.keys) {
    expect(await calculateJwkThumbprint(key)).toBe(key.kid ?? '')
    expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  }
  expect(signingKey('n'.repeat(32)).publicKey).toEqual(newer.publicKey)
})

test('signatures: other files are unchanged, and a build without catalogs has no signatures', () => {
  expect(found('/index.html')).toBe(built[0])
  const paths = signFiles(
    [newer],
    company.site,
  )([file('/index.html', 'home')]).map(({ path }) => path)
  expect(paths).toEqual(['/index.html', jwksPath])
})
