// Values derived from the pepper stay valid throughout a rotation.

import { expect, test } from 'bun:test'
import type { Peppers } from '#auth/pepper.ts'
import { openLinks } from '#booking/links.ts'
import { openTokens } from '#clinical/tokens.ts'
import { channelNameOf } from '#contract/realtime.ts'
import { embeddedRealtime } from '#clinical/realtime/embedded.ts'
import { roleUrls } from '#database/roles.ts'
import { readConfig } from './config.ts'
import { peppersOf, rolePasswords, signingKeysOf } from './credentials.ts'

const [before, after] = ['b'.repeat(40), 'a'.repeat(40)]
const id = '01m3vb29m0sxcvm9er5ytt0kmn'
/** In each step, restarted gateways have different settings from the rest. */
const steps: [Peppers, Peppers][] = [
  [[before], [before, after]],
  [
    [before, after],
    [after, before],
  ],
]

test.each(steps)(
  'a gateway with %p accepts signatures from one with %p, and vice versa',
  async (...both) => {
    const [one, other] = both
    for (const [maker, reader] of [
      [one, other],
      [other, one],
    ] as const) {
      const organization = `org_${id}`
      const integration = `int_${id}`
      const channel = channelNameOf({ integration, organization, mode: 'test' })
      const token = await embeddedRealtime(...maker).mint('test', {
        channel,
        integration,
        holder: `key_${id}`,
        expires: 4e12,
      })
      expect(await embeddedRealtime(...reader).bearerOf(token)).toMatchObject({
        owner: { integration, organization, mode: 'test' },
        signedBy: 'test',
      })
      const upload = { kind: 'upload', mode: 'test', tenant: '1', object: 'o' } as const
      expect(openTokens(...reader).open(openTokens(...maker).encrypt(upload))).toEqual(upload)
      const link = new URL(openLinks('https://health.example', ...maker).call(`bkg_${id}`))
      expect(
        openLinks('https://health.example', ...reader).read(link.searchParams.get('key') ?? ''),
      ).toEqual({ id: `bkg_${id}`, source: 'email' })
    }
  },
)

test('signatures from an unlisted pepper aren’t accepted', async () => {
  const upload = { kind: 'upload', mode: 'test', tenant: '1', object: 'o' } as const
  expect(openTokens(after).open(openTokens(before).encrypt(upload))).toBeNull()
  const link = new URL(openLinks('https://health.example', before).call(`bkg_${id}`))
  const key = link.searchParams.get('key') ?? ''
  expect(openLinks('https://health.example', after).read(key)).toBeNull()
})

test('KEY_PEPPER has one or more peppers, newest first', () => {
  const secrets = (name: string) => `generated ${name}`
  const peppers = (text: string) => peppersOf(readConfig({ KEY_PEPPER: text }), secrets)
  expect(peppers('')).toEqual(['generated keyPepper'])
  expect(peppers(before)).toEqual([before])
  expect(peppers(`${after}, ${before}`)).toEqual([after, before])
  expect(() => peppers(`${after},short`)).toThrow('KEY_PEPPER must have at least 32 characters')
})

test('each pepper has its own role passwords and its published signing key', () => {
  const [old, both] = [rolePasswords(before), rolePasswords(after, before)]
  expect(both.test).toEqual([rolePasswords(after).test, old.test].flat())
  const url = new URL(roleUrls('postgres://me:x@db.example/app', both).test)
  expect([url.password, url.hash.slice(1)]).toEqual([...both.test])
  expect(new URL(roleUrls('postgres://me:x@db.example/app', old).test).hash).toBe('')
  const config = readConfig({})
  const keys = signingKeysOf(config, [after, before])
  expect(keys).toHaveLength(2)
  expect(keys.map(key => JSON.stringify(key))).toEqual(
    [signingKeysOf(config, [after])[0], signingKeysOf(config, [before])[0]].map(key =>
      JSON.stringify(key),
    ),
  )
})
