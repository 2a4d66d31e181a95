import { expect, spyOn, test } from 'bun:test'
import { toHtml } from './markdown.ts'

/** Rendered code is cached, so it must not depend on how busy the machine was. */
test('markdown: code is highlighted even on a slow machine', async () => {
  const words = '```ts\nconst asked = new Map<string, number>()\n```\n'
  const quick = await toHtml(words)
  expect(quick.html).toContain('token-keyword')
  let now = Date.now()
  const clock = spyOn(Date, 'now').mockImplementation(() => (now += 10_000))
  expect(await toHtml(words)).toEqual(quick)
  clock.mockRestore()
})
