// Parsing of `-d` and `--data`.

import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bodyOf } from './body.ts'
import { operation } from './operation.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'body-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const typed = async (id: string, ...d: string[]) => {
  const { body = [] } = await operation(id)
  return (await bodyOf({ d }, body)).body
}

test('-d sets fields in objects and lists, and fills a list of words', async () => {
  expect(await typed('updatePatient', 'address.city=Austin', 'address.state=TX')).toEqual({
    address: { city: 'Austin', state: 'TX' },
  })
  expect(await typed('answerCase', 'answers[0].answer=No, never.', 'answers[1].answer=')).toEqual({
    answers: [{ answer: 'No, never.' }, { answer: '' }],
  })
  expect(await typed('createWebhookEndpoint', 'event_types=case.*, order.shipped.v1')).toEqual({
    event_types: ['case.*', 'order.shipped.v1'],
  })
})

test('-d converts each value to its field’s type', async () => {
  const plan = ['plan[0].quantity=4', 'plan[0].directions=4', 'plan[0].dispensable=true']
  expect(await typed('decideCase', ...plan)).toEqual({
    plan: [{ quantity: 4, directions: '4', dispensable: true }],
  })
  expect(await typed('updatePatient', 'address.postal_code=02134', 'external_id=null')).toEqual({
    address: { postal_code: '02134' },
    external_id: null,
  })
})

test('--data reads a file, and -d overrides it', async () => {
  const file = path.join(folder, 'body.json')
  writeFileSync(file, '{"body":"from the file","other":1}')
  const given = await bodyOf({ data: `@${file}`, d: ['body=typed'] }, [])
  expect(given.body).toEqual({ body: 'typed', other: 1 })
  writeFileSync(file, '\uFEFF{"body":"behind the mark of an editor"}')
  const marked = await bodyOf({ data: `@${file}` }, [])
  expect(marked.body).toEqual({ body: 'behind the mark of an editor' })
  await expect(bodyOf({ data: `@${file}x` }, [])).rejects.toThrow('(ENOENT)')
})

test.each(['a..b=1', 'a[x]=1', '[0', 'a b=1', '__proto__.x=1', 'a.constructor=1'])(
  '-d %s is refused, and changes nothing else',
  async one => {
    await expect(bodyOf({ d: [one] }, [])).rejects.toThrow('-d')
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  },
)
