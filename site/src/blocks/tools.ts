import { operationPath, scopeLink } from '#content/reference.ts'
import { table } from '#contract/api.ts'
import { scopes } from '#contract/scopes.ts'
import { toolGroups, toolScopes } from '#contract/tools/listing.ts'
import { leftOut } from '#contract/tools/not-tools.ts'
import { clinicalTools } from '#contract/tools/tools.ts'
import { markdownTable } from '../figures/figures.ts'

// Tool server facts for pages, from the operations table.

const namesOf = (names: readonly string[]) => names.map(name => `\`${name}\``).join(', ')

function byScope(): string {
  const rows = toolScopes.map(scope => {
    const own = clinicalTools.filter(({ operation }) => operation.scope === scope)
    return [scopeLink(scope), scopes[scope], namesOf(own.map(({ name }) => name))]
  })
  return markdownTable(['scope', 'allows an agent to', 'with these tools'], rows)
}

function notTools(): string {
  const rows = leftOut.map(({ why, operations }) => [
    operations
      .map(id => `[\`${table[id].method} ${table[id].path}\`](${operationPath(id)})`)
      .join(', '),
    why,
  ])
  return markdownTable(['operation', 'why it isn’t a tool'], rows)
}

function asks(): string {
  const removing = clinicalTools.filter(({ hints }) => hints.destructiveHint)
  return `The tools that declare this are ${namesOf(removing.map(({ name }) => name))}.`
}

export const toolBlocks: Readonly<Record<string, () => string>> = {
  'tool-scopes': byScope,
  'not-tools': notTools,
  'removing-tools': asks,
  'tool-groups': () => `The groups are ${namesOf(toolGroups)}.`,
}
