// `select n::text … order by n` sorts the selected text, not the number, so '9' comes after '10'.
// PostgreSQL prefers a selected column's name, so `order by` must qualify the table's column.
import { expect, test } from 'bun:test'
import path from 'node:path'

const modules = 'auth,clinical,database,gateway,mcp,bench'
const root = path.dirname(import.meta.dir)

/** The names that a statement both sorts by and selects as text. */
function textsSortedBy(statement: string): string[] {
  const fixtures = [...statement.matchAll(/(?<![.\w])(\w+)::text(?= *(,|\n|from\b))/g)]
  const named = [...statement.matchAll(/\b\w+::text as (\w+)/g)]
  const answered = new Set([...fixtures, ...named].map(found => found[1] ?? ''))
  return [...statement.matchAll(/\border by ([^()`]*?)(?=\blimit\b|\bfor\b|[()`]|$)/g)]
    .flatMap(found => (found[1] ?? '').split(','))
    .map(one => one.trim().split(/\s/)[0] ?? '')
    .filter(name => answered.has(name))
}

test('statements: no statement sorts by a column that it selects as text', async () => {
  const found: string[] = []
  for await (const file of new Bun.Glob(`{${modules}}/**/*.ts`).scan(root)) {
    if (file === 'database/ordering.test.ts') continue
    const text = await Bun.file(path.join(root, file)).text()
    for (const [, statement = ''] of text.matchAll(/`([^`]*)`/g)) {
      for (const name of textsSortedBy(statement)) found.push(`${file}: ${name}`)
    }
  }
  expect(found).toEqual([])
  expect(textsSortedBy('select n::text, m from s order by n desc limit 1')).toEqual(['n'])
  expect(textsSortedBy('select s::text as n from t order by m, n')).toEqual(['n'])
  expect(textsSortedBy('select n::text, m from s order by s.n desc limit 1')).toEqual([])
})
