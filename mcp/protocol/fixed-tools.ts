// The same tools for every caller, as the servers of the site have them.

import { hourMilliseconds } from '#contract/moments.ts'
import { listed } from '#contract/mcp/tool.ts'
import type { Skills } from '../docs/skills.ts'
import type { ToolSource } from './source.ts'
import type { Tool } from './tool.ts'

const noResource = 'No resource has this uri. resources/list names all of them.'

/** The same for every caller until the next deployment, so shared caches may store it. */
const cache = { ttlMs: hourMilliseconds, cacheScope: 'public' } as const

/** `skills`: of the build that is served now. */
export function fixedTools(tools: readonly Tool[], skills?: () => Skills): ToolSource {
  const byName = new Map(tools.map(tool => [tool.definition.name, tool]))
  const list = { tools: tools.map(({ definition }) => listed(definition)) }
  return {
    cache,
    list: () => list,
    call: ({ request, agent }, { name, given }) =>
      byName.get(name)?.call(given, { agent, address: request.address }),
    ...(skills && ofSkills(skills)),
  }
}

const ofSkills = (skills: () => Skills): Pick<ToolSource, 'resources' | 'skills'> => ({
  resources: {
    cache,
    list: async () => skills().resources,
    templates: async () => [],
    read: async (_call, uri) => skills().read(uri) ?? { contents: null, message: noResource },
  },
  skills: { cache, entries: () => skills().entries },
})
