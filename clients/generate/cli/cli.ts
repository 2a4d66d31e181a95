// The contract data in the CLI: its commands and their descriptions. These functions are macros:
// Bun runs them at build time, and the bundle contains their results.

import config from '#content/site.config.ts'
import { callable } from '#contract/callable.ts'
import { previewTags, tags } from '#contract/tags.ts'
import { scopes } from '#contract/scopes.ts'
import type { Operation, TreeRow } from './row.ts'
import { model } from '../model.ts'
import { commands } from './commands.ts'

/** The data needed at every start: each command's words, summary and IDs. */
export const treeRows = (): TreeRow[] =>
  commands().map(({ id, words, summary, ids }) => ({ id, words, summary, ids }))

export const operationRows = (): Operation[] => commands()

const aboutTags: Readonly<Record<string, string>> = { ...tags, ...previewTags }

/** The first words of all commands, each with a description of its operations. */
export function resourceRows(): { name: string; about: string }[] {
  const first = new Map<string, string>()
  for (const { id, words } of commands()) {
    const [name = ''] = words
    if (!first.has(name)) first.set(name, aboutTags[callable[id].tag] ?? '')
  }
  return [...first].map(([name, about]) => ({ name, about }))
}

export const problemRows = () =>
  model.problems.map(({ code, status, title, hint }) => ({ code, status, title, hint }))

export const eventNames = (): string[] => model.events.map(({ type }) => type)

export const scopeRows = () => Object.entries(scopes).map(([name, allows]) => ({ name, allows }))

export const companyNames = () => ({
  name: config.name,
  slug: config.slug,
  site: config.site,
  api: config.api,
  apiVersion: model.apiVersion,
})
