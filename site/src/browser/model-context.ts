// Offers search as a tool for the reader's own assistant, if the browser supports WebMCP. This
// script runs last, because the draft (https://webmachinelearning.github.io/webmcp/) still changes.

type Tool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: { readonly readOnlyHint: boolean }
  execute(input: { readonly query?: unknown }): Promise<object>
}
type ModelContext = { registerTool?(tool: Tool): unknown }

const resultsMax = 10

const search: Tool = {
  name: 'search_pages',
  description: 'Searches this site’s docs, API reference and articles.',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string', description: 'A question or a few words' } },
    required: ['query'],
  },
  annotations: { readOnlyHint: true },
  async execute({ query }) {
    const [{ loadIndex }, { termsOf }] = await Promise.all([
      import('./search-dialog.ts'),
      import('#content/ranking/question.ts'),
    ])
    const found = (await loadIndex())(termsOf(String(query ?? '')), resultsMax)
    const results = found.map(({ title, url }) => ({
      title,
      url: new URL(url, location.href).href,
    }))
    return { content: [{ type: 'text', text: JSON.stringify(results) }] }
  },
}

export function offerSearch(): void {
  const { modelContext } = document as { modelContext?: ModelContext }
  modelContext?.registerTool?.(search)
}
