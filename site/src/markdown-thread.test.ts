import { expect, test } from 'bun:test'
import { toHtml } from './markdown.ts'
import { MarkdownThread } from './markdown-thread.ts'

test('Markdown: a thread renders the same as this process, even several texts at once', async () => {
  const texts = ['# One\n\n`two`', '```ts\nconst three = 3\n```', '']
  const thread = new MarkdownThread()
  try {
    const rendered = await Promise.all(texts.map(text => thread.toHtml(text)))
    expect(rendered).toEqual(await Promise.all(texts.map(toHtml)))
    expect(new Set(rendered.map(({ html }) => html)).size).toBe(3)
  } finally {
    await thread.stop()
  }
})
