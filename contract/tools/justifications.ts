// Why each hint of each tool has its value, for directories of connectors: computed like the hints.

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
        readOnlyHint: 'True: it searches the published guides and the contract.',
        destructiveHint: 'False: it changes nothing.',
        idempotentHint: 'True: the same words bring the same results until the next deployment.',
        openWorldHint: 'False: it reaches only what the site publishes.',
      },
    },
  ],
} as const
