import { expect, test } from 'bun:test'
import { mutantsOf } from './mutants.ts'

/** Each fault as `before → after`. */
const changes = (text: string, file?: string) =>
  mutantsOf(text, file).map(
    ({ kind, start, end, replacement }) => `${kind}: ${text.slice(start, end)} → ${replacement}`,
  )

const kinds: [source: string, expected: string[]][] = [
  ['const x = a < b', ['comparison: < → <=']],
  [
    'const x = a >= b && c !== d',
    ['comparison: >= → >', 'operator: && → ||', 'comparison: !== → ==='],
  ],
  ['const x = !a', ['operator: !a → a']],
  ['const x = { limit: 300, size: 9_000 }', ['number: 300 → 301', 'number: 9_000 → 18000']],
  ['const x = y < z ? -1 : 1', ['comparison: < → <=']],
  ['const x = yes ? a : b', ['condition: yes → !(yes)']],
  ['const x = { isOpen: true }', ['boolean: true → false']],
  ['async () => { x = await work() }', ['await: await  → ']],
  ['function f() { if (x) return y\n return z }', ['early return: x → false']],
  ['function f() { if (x) { throw y } }', ['early return: x → false']],
  ['if (x) count++', ['condition: x → false', 'condition: x → true']],
  ['release(lock)', ['call: release(lock) → ;']],
  ['log.info(x); console.log(y); count = z', []],
  ["import { a } from 'b'\ntype T = { size: 3 } | true\nlet x: 4 | 5", []],
  ['const x = (a as 1 | 2) > b', ['comparison: > → >=']],
]

test('faults: every TypeScript kind is found, and none in types', () => {
  for (const [source, expected] of kinds)
    expect([source, changes(source)]).toEqual([source, expected])
})

test('faults: JSX faults are found in expressions, but not in text', () => {
  const element = 'const x = <li class="a < 5">{count > 1 ? <b>more than 1</b> : null}</li>'
  expect(changes(element, 'page.tsx')).toEqual(['comparison: > → >=', 'number: 1 → 2'])
})

const statements: [source: string, expected: string[]][] = [
  [
    'where tenant = ${t} and id = ${id}',
    ['sql condition: tenant = ${t} → true', 'sql condition: id = ${id} → true'],
  ],
  ['where a is null or b', ['sql condition: a is null → false', 'sql condition: b → false']],
  [
    "where at between '2' and now() and status in ('a', 'b') order by at desc",
    [
      "sql condition: at between '2' and now() → true",
      "sql condition: status in ('a', 'b') → true",
      'sql order: desc → asc',
    ],
  ],
  [
    'where (a or b) and c',
    [
      'sql condition: (a or b) → true',
      'sql condition: a → false',
      'sql condition: b → false',
      'sql condition: c → true',
    ],
  ],
  [
    'where exists (select from t where t.id = x.id)',
    [
      'sql condition: exists (select from t where t.id = x.id) → true',
      'sql condition: t.id = x.id → true',
    ],
  ],
  [
    'update t set a = 1 from u where a is distinct from b returning id',
    ['sql number: 1 → 2', 'sql condition: a is distinct from b → true'],
  ],
  [
    "sent < ended - interval '30 seconds' and ended < now()",
    [
      "sql condition: sent < ended - interval '30 seconds' → true",
      'sql comparison: < → <=',
      "sql number: '30 seconds' → '31 seconds'",
      'sql condition: ended < now() → true',
    ],
  ],
  [
    'select id from t limit 5 for update skip locked',
    ['sql number: 5 → 6', 'sql lock: skip locked → '],
  ],
  ['select id from t for update', ['sql lock: for update → ']],
  ['and a = b', ['sql condition: a = b → true']],
  ['insert into t (a) values (x) on conflict (a) do nothing', []],
  ["select 'where a < 5' -- where b < 6\n from t", []],
  [
    "case status when 'open' then a when b > c then d end",
    ['sql condition: b > c → true', 'sql comparison: > → >='],
  ],
]

test('faults: every SQL kind is found in a statement’s text, and none in its strings', () => {
  for (const [text, expected] of statements) {
    expect([text, changes(`const x = sql\`${text}\``)]).toEqual([text, expected])
  }
})

test('faults: a statement inside a parameter has separate faults', () => {
  const found = changes('const x = sql`where a = b ${isOpen ? sql`and c = d` : none}`')
  expect(found).toContain('condition: isOpen → !(isOpen)')
  expect(found).toContain('sql condition: c = d → true')
})
