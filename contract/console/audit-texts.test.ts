// Every action in the audit reads as a sentence in the past tense, with a noun.

import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { auditText, auditTextIds } from './audit-texts.ts'

const irregular = new Set(['Read', 'Sent', 'Withdrew', 'Gave', 'Took', 'Wrote', 'Reset'])

/** Matches the action names in code that writes audit rows. */
const places = [
  /\brecord_(?:act|work)\((?:act, |new_act, )?'([a-z][a-zA-Z]+)'/g,
  /\brecordWork\([^,]+, '([a-z][a-zA-Z]+)'/g,
  /\baction: '([a-z][a-zA-Z]+)'/g,
  /\baction = \w+ === null \? '([a-z][a-zA-Z]+)'/g,
]

test('every action in the code has its own text', async () => {
  const root = new URL('../..', import.meta.url).pathname
  const found = new Set<string>()
  for (const glob of ['{auth,clinical,console,portal}/**/*.{ts,tsx}', 'database/migrations/*.sql'])
    for await (const file of new Glob(glob).scan(root)) {
      if (/test|testing/.test(file)) continue
      const text = await Bun.file(root + file).text()
      for (const place of places)
        for (const [, action = ''] of text.matchAll(place)) found.add(action)
    }
  expect(found.size).toBeGreaterThan(30)
  expect([...found].filter(action => !auditTextIds.includes(action))).toEqual([])
})

test.each(auditTextIds)('%s', action => {
  const text = auditText(action)
  const [verb = '', ...rest] = text.split(' ')
  expect([text, verb.endsWith('ed') || irregular.has(verb)]).toEqual([text, true])
  expect([text, rest.length > 0]).toEqual([text, true])
  expect(text).toMatch(/^[A-Z][^.;:]*[^.]$/)
  expect(text).not.toMatch(/[a-z][A-Z]|_/)
})

test('an action without a text of its own is written in words', () => {
  expect(auditText('oauth.closeAccount')).toBe('Close account')
})
