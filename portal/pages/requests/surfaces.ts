// Where a call came in, in words.
import type { requestSurfaces } from '#contract/preview/requests.ts'

export const surfaceNames: Readonly<Record<(typeof requestSurfaces)[number], string>> = {
  rest: 'API',
  mcp: 'Tool server',
}
