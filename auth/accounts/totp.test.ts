// Tests one-time codes with the values in RFC 6238, appendix B, cut to six digits.
import { expect, test } from 'bun:test'
import { randomBytes } from '#database/clock.ts'
import { codeAt, newTotpSecret, stepOfCode } from './totp.ts'

/** The RFC's secret, "12345678901234567890", in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
])('totp: the code at second %p is %p, in time step %p', (seconds, code, step) => {
  expect(codeAt(secret, seconds * 1000)).toBe(code)
  expect(stepOfCode(secret, code, seconds * 1000)).toBe(step)
})

test('totp: a code is valid for its 30 seconds, and for the 30 before and after', () => {
  const code = codeAt(secret, 1_234_567_890_000)
  const secondsFrom = (offset: number) => stepOfCode(secret, code, (1_234_567_890 + offset) * 1000)
  const step = 41_152_263
  // Second 1,234,567,890 is the first second in its step.
  expect([-31, -30, -1, 0, 29, 30, 59, 60].map(secondsFrom)).toEqual([
    null,
    ...Array.from({ length: 6 }, () => step),
    null,
  ])
})

test.each(['', '12345', '1234567', '05924', '0005924', 'abcdef', ' 05924', '００５９２４'])(
  'totp: %p isn’t six digits, so it isn’t a code',
  given => expect(stepOfCode(secret, given, 1_234_567_890_000)).toBeNull(),
)

test('totp: a new secret has 160 bits, as RFC 4226 recommends', () => {
  expect(newTotpSecret(randomBytes)).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret(count => new Uint8Array(count))).toBe('A'.repeat(32))
  expect(newTotpSecret(randomBytes)).not.toBe(newTotpSecret(randomBytes))
})
