import { describe, expect, test } from 'bun:test'
import { openSeal } from './encryption.ts'

const old = 'the key of last year, which is long enough'
const fresh = 'the key of this year, which is long enough'
const seal = openSeal([fresh])

describe('a sealed text', () => {
  test('opens to what it was, whatever it was', () => {
    for (const text of ['', 'whsec_x', 'é\u0000🧪"\\', 'a'.repeat(100_000)]) {
      expect(seal.open('a secret', seal.seal('a secret', text))).toBe(text)
    }
  })

  test('shows nothing of the text, and is never the same twice', () => {
    const all = Array.from({ length: 50 }, () => seal.seal('a secret', 'whsec_kestrel'))
    expect(new Set(all).size).toBe(50)
    for (const one of all) expect(Buffer.from(one, 'base64url').toString()).not.toContain('kestrel')
  })

  test('does not open as another thing, nor under another key', () => {
    const sealed = seal.seal('a secret of Ada', 'text')
    expect(seal.open('a secret of Ben', sealed)).toBeNull()
    expect(openSeal([old]).open('a secret of Ada', sealed)).toBeNull()
  })

  test('does not open when any character of it was changed', () => {
    const sealed = seal.seal('a secret', 'text')
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
      // The last character of base64 may hold bits that say nothing.
      if (
        at === sealed.length - 1 &&
        Buffer.from(changed, 'base64url').equals(Buffer.from(sealed, 'base64url'))
      )
        continue
      expect([at, seal.open('a secret', changed)]).toEqual([at, null])
    }
  })

  test('that is none is not opened', () => {
    for (const text of [
      '',
      'sealed.',
      'sealed.00000000.AAAA',
      'whsec_x',
      `${seal.seal('p', 't')} `,
    ]) {
      expect(seal.open('p', text)).toBeNull()
    }
  })
})

describe('a ring', () => {
  test('opens what any of its keys sealed, and seals with its first', () => {
    const before = openSeal([old]).seal('p', 'text')
    const ring = openSeal([fresh, old])
    expect(ring.open('p', before)).toBe('text')
    const after = ring.seal('p', 'text')
    expect(after.split('.')[1]).toBe(ring.keys[0])
    expect(seal.open('p', after)).toBe('text')
  })

  test('needs a key', () => {
    expect(() => openSeal([])).toThrow('without a key')
  })
})
