import { expect, test } from 'bun:test'
import { markup } from '#http/html/markup.ts'
import { createLayout } from './layout.ts'

test('booking pages: the layout of a build is read once, and of the next build again', async () => {
  let reads = 0
  const build = (name: string) => ({
    serve() {
      reads++
      const headers = { 'content-security-policy': `of ${name}` }
      return new Response(`<title>x</title><p>${name}</p><main></main>`, { headers })
    },
  })
  let site = build('first')
  const layout = createLayout(() => site)
  const page = { title: 'Pick a time', body: markup`<h1>Times</h1>` }
  for (let times = 0; times < 3; times++) {
    const answer = await layout(page)
    expect([answer.status, answer.headers.get('content-security-policy')]).toEqual([
      200,
      'of first',
    ])
    expect(await answer.text()).toContain('<p>first</p><main><h1>Times</h1></main>')
  }
  expect(reads).toBe(1)
  site = build('second')
  expect(await (await layout({ ...page, status: 404 })).text()).toContain('<p>second</p>')
  expect(reads).toBe(2)
})
