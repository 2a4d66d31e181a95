// Values that break what reads them: of the wrong type, at the edge of a limit, and texts that mean
// something to a database, a pattern, a parser or a browser.

import { limits } from '#contract/limits.ts'
import type { Shape } from '../../pipeline/validate.ts'
import type { Chance } from './chance.ts'

/** Stands in values only, so that a refusal which holds it has echoed one. */
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

/** JSON that only a parser can make. */
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

/** A value of no particular kind. The long ones are rare, because each is slow to make. */
export function anything(chance: Chance): unknown {
  if (chance.percent(1)) {
    return chance.pick([
      () => canary.repeat(9000),
      () => Array.from({ length: 100_000 }, () => 0),
      () => nested(far, canary),
      () => Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`m${at}`, canary])),
    ])()
  }
  if (chance.percent(40)) return chance.pick(hostileTexts)
  if (chance.percent(15)) return JSON.parse(chance.pick(parsed))
  return chance.pick(plain)()
}

function textLike(chance: Chance, shape: Shape): string {
  const { minLength = 0, maxLength = 40 } = shape
  const day = chance.pick(days)
  const id = `${chance.pick(['pat', 'case', 'med', 'evt', 'x'])}_${chance.pick('0178zuU'.split(''))}`
  return chance.pick([
    () => 'a'.repeat(Math.max(0, minLength - 1)),
    () => 'a'.repeat(maxLength),
    () => 'a'.repeat(maxLength + 1),
    // Limits count code points: of these every one is two units long.
    () => tiny.repeat(maxLength),
    () => `${tiny.repeat(maxLength)}a`,
    () => tiny.repeat(Math.floor(maxLength / 2)),
    () => day,
    () => day + chance.pick(times),
    () => chance.pick(emails),
    () => id + '0123456789abcdefghjkmnpqrs'.slice(0, 24 + chance.below(3)),
    () => `+${'1'.repeat(chance.below(18))}`,
    () => String(chance.pick(shape.enum ?? [''])) + chance.pick(['', ' ', '\n', 's']),
    () => String(chance.pick(shape.enum ?? [''])).toUpperCase(),
    () => chance.pick(hostileTexts),
  ])()
}

/** A value near what the shape asks for, on either side of its limits. */
export function nearly(chance: Chance, shape: Shape): unknown {
  const types = new Set([shape.type ?? 'object'].flat())
  if (types.has('string')) return textLike(chance, shape)
  if (types.has('integer')) {
    const { minimum = 0, maximum = 100 } = shape
    return chance.pick([minimum - 1, minimum, maximum, maximum + 1, maximum + 0.5, `${minimum}`])
  }
  if (types.has('boolean')) return chance.pick([true, false, 'true', 0, 1])
  return anything(chance)
}
