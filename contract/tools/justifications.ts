// The reasons for each tool's hints, for connector directories, computed like the hints.

import { docsSearch } from './docs-search.ts'
import { justificationsOf } from './hints.ts'
import { clinicalTools } from './tools.ts'

export const justifications = {
  tools: [
    ...clinicalTools.map(({ name, hints, operation, verb }) => ({
      name,
      hints,
      why: justificationsOf(operation, verb),
    })),
    {
      name: docsSearch.name,
      hints: docsSearch.hints,
      why: {
        readOnlyHint: 'True: it searches the published guides and API reference.',
        destructiveHint: 'False: it changes nothing.',
        idempotentHint:
          'True: the same keywords return the same results until the next deployment.',
        openWorldHint: 'False: it reaches only what the site publishes.',
      },
    },
  ],
} as const
