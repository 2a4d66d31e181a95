import { expect, test } from 'bun:test'
import { newSecret } from './secret.ts'

test('webhook secret: every character is equally likely, because bytes from 248 on are skipped', () => {
  const bytes = [255, 0, 248, 61, 250, 62, 247, 249]
  let given = 0
  const source = (count: number) =>
    Uint8Array.from({ length: count }, () => bytes[given++ % bytes.length] ?? 0)
  // There are 62 characters, so bytes 0 and 62 map to the first character, and bytes 61 and 247 map
  // to the last.
  expect(newSecret(source)).toBe(`whsec_${'0z'.repeat(16)}`)
})
