// WebMCP: what the site offers to a browser's agent.
import { expect, test } from '@playwright/test'
import { article } from './servers.ts'

const question = 'how do webhooks work'

test('WebMCP: a browser that supports it gets the search and the forms as tools', async ({
  page,
}) => {
  type Tool = { name: string; execute(input: object): Promise<{ content: { text: string }[] }> }
  type WithTools = { tools: Tool[] }
  await page.addInitScript(() => {
    const tools: unknown[] = []
    const modelContext = { registerTool: (tool: unknown) => void tools.push(tool) }
    Object.assign(document, { modelContext, tools })
  })
  await page.goto('/pricing')
  await page.waitForFunction(() => (document as unknown as WithTools).tools.length === 1)
  const [name, text] = await page.evaluate(async query => {
    const [tool] = (document as unknown as WithTools).tools
    return [tool?.name, (await tool?.execute({ query }))?.content[0]?.text]
  }, question)
  expect(name).toBe('search_pages')
  expect(text).toContain(article)
  await page.goto('/search')
  await expect(page.locator('form[toolname=search_site] input[toolparamdescription]')).toHaveCount(
    1,
  )
})
