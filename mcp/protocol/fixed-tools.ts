// A source with the same tools for every caller, for the site's servers.

import { hourMilliseconds } from '#contract/moments.ts'
import { listed } from '#contract/mcp/tool.ts'
import type { ToolSource } from './source.ts'
import type { Tool } from './tool.ts'

/** Responses are the same for every caller until the next deployment, so shared caches may store
 *  them. */
export const publicCache = { ttlMs: hourMilliseconds, cacheScope: 'public' } as const

type More = Pick<ToolSource, 'resources' | 'skills'>

export function fixedTools(tools: readonly Tool[], more: More = {}): ToolSource {
  const byName = new Map(tools.map(tool => [tool.definition.name, tool]))
  const list = { tools: tools.map(({ definition }) => listed(definition)) }
  return {
    cache: publicCache,
    list: () => list,
    call: ({ request, agent }, { name, given }) =>
      byName.get(name)?.call(given, { agent, address: request.address }),
    ...more,
  }
}
