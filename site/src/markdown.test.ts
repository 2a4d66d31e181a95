import { expect, spyOn, test } from 'bun:test'
import { toHtml } from './markdown.ts'

/** What is made is kept for the builds to come, so it may not depend on how busy a machine was. */
test('code has the same colours however long a line takes', async () => {
  const words = '```ts\nconst asked = new Map<string, number>()\n```\n'
  const quick = await toHtml(words)
  expect(quick.html).toContain('token-keyword')
  let now = Date.now()
  const clock = spyOn(Date, 'now').mockImplementation(() => (now += 10_000))
  expect(await toHtml(words)).toEqual(quick)
  clock.mockRestore()
})
