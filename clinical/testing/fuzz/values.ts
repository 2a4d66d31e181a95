// Hostile values: of the wrong type, at the edge of a limit, and strings that mean something to a
// database, a pattern, a parser or a browser.

import { limits } from '#contract/limits.ts'
import type { Shape } from '../../pipeline/validate.ts'
import type { Draw } from './draw.ts'

/** Occurs only in values, so a refusal that contains it has echoed a value. */
export const canary = 'kestrel-7731'

const tiny = '🧪'
const nested = (depth: number, inner: unknown): unknown =>
  depth === 0 ? inner : nested(depth - 1, depth % 2 === 0 ? [inner] : { inner })

export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\t',
  '\n',
  '\0',
  `${canary}\0`,
  '\ud800',
  `${canary}\udc00`,
  '\u202e\u200b\ufeff',
  'e\u0301'.repeat(40),
  `${tiny}${canary}`,
  'undefined',
  'null',
  'true',
  '0',
  '-1',
  'NaN',
  `'; drop table test.patients; --${canary}`,
  `' or '1'='1`,
  '$1',
  '$$',
  '%',
  '_',
  '\\',
  '\\u0000',
  '::jsonb',
  '(a+)+$',
  '.*',
  '[',
  '^',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  '%00',
  '%ff',
  '\u0080\u0085\u009f',
  'ＡＤＡ',
  'ı',
  'ß',
  canary,
]

const days = [
  '2026-02-30',
  '2026-02-29',
  '2024-02-29',
  '0000-01-01',
  '0001-01-01',
  '1899-12-31',
  '1900-01-01',
  '1969-12-31',
  '9999-12-31',
  '10000-01-01',
  '-2026-01-01',
  '+002026-01-01',
  '2026-13-01',
  '2026-00-10',
  '2026-1-1',
  '20261120',
  '2026-W01-1',
  '２０２６-01-01',
]
const times = [
  'T00:00:00Z',
  'T23:59:60Z',
  'T24:00:00Z',
  'T00:00:00',
  'T00:00:00+24:00',
  'T00:00:00-00:00',
  'T23:59:59.999-23:59',
  'T00:00:00.001+23:59',
  't00:00:00z',
  ' 00:00:00Z',
  'T00:00:00.1234567890Z',
  'T00:00:00.999999999Z',
  'T00:60:00Z',
  'T00:00Z',
]
const emails = ['a@b', 'a@b.c', '@b.co', 'a b@c.de', `a@${'b.'.repeat(120)}co`, 'a@b..co', 'ä@ö.de']

/** JSON values that a source literal couldn't express. */
const parsed = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":null,"hasOwnProperty":0}',
  '{"a":1,"a":2}',
  '1e999',
  '-1e999',
]

const plain: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => false,
  () => 0,
  () => -0,
  () => 1,
  () => -1,
  () => 1.5,
  () => 1e308,
  () => -1e308,
  () => 2 ** 53 + 1,
  () => Number.MIN_VALUE,
  () => [],
  () => [[]],
  () => [null],
  () => ({}),
  () => ({ [canary.slice(0, 3)]: canary }),
]

const far = limits.bodyDepthMax - 4

/** Returns any hostile value. Long values are rare, because each is slow to generate. */
export function anything(draw: Draw): unknown {
  if (draw.percent(1)) {
    return draw.pick([
      () => canary.repeat(9000),
      () => Array.from({ length: 100_000 }, () => 0),
      () => nested(far, canary),
      () => Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`m${at}`, canary])),
    ])()
  }
  if (draw.percent(40)) return draw.pick(hostileTexts)
  if (draw.percent(15)) return JSON.parse(draw.pick(parsed))
  return draw.pick(plain)()
}

function textLike(draw: Draw, shape: Shape): string {
  const { minLength = 0, maxLength = 40 } = shape
  const day = draw.pick(days)
  const id = `${draw.pick(['pat', 'case', 'med', 'evt', 'x'])}_${draw.pick('0178zuU'.split(''))}`
  return draw.pick([
    () => 'a'.repeat(Math.max(0, minLength - 1)),
    () => 'a'.repeat(maxLength),
    () => 'a'.repeat(maxLength + 1),
    // Limits count code points; each character in `tiny` is two UTF-16 units.
    () => tiny.repeat(maxLength),
    () => `${tiny.repeat(maxLength)}a`,
    () => tiny.repeat(Math.floor(maxLength / 2)),
    () => day,
    () => day + draw.pick(times),
    () => draw.pick(emails),
    () => id + '0123456789abcdefghjkmnpqrs'.slice(0, 24 + draw.below(3)),
    () => `+${'1'.repeat(draw.below(18))}`,
    () => String(draw.pick(shape.enum ?? [''])) + draw.pick(['', ' ', '\n', 's']),
    () => String(draw.pick(shape.enum ?? [''])).toUpperCase(),
    () => draw.pick(hostileTexts),
  ])()
}

/** Returns a value close to the shape, on either side of its limits. */
export function nearly(draw: Draw, shape: Shape): unknown {
  const types = new Set([shape.type ?? 'object'].flat())
  if (types.has('string')) return textLike(draw, shape)
  if (types.has('integer')) {
    const { minimum = 0, maximum = 100 } = shape
    return draw.pick([minimum - 1, minimum, maximum, maximum + 1, maximum + 0.5, `${minimum}`])
  }
  if (types.has('boolean')) return draw.pick([true, false, 'true', 0, 1])
  return anything(draw)
}
