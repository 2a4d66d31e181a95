// What the command line knows of the contract: its commands, and the words that they explain.

import config from '#content/site.config.ts'
import { callable } from '#contract/callable.ts'
import { tags } from '#contract/api/tags.ts'
import { previewTags } from '#contract/preview/tags.ts'
import { scopes } from '#contract/scopes.ts'
import type { Model } from '../model.ts'
import { type Command, commands } from './commands.ts'

/** What the program needs at every start: the words, and what each does. */
const treeOf = (all: readonly Command[]) =>
  all.map(({ id, words, summary, ids }) => ({ id, words, summary, ids }))

const aboutTags: Readonly<Record<string, string>> = { ...tags, ...previewTags }

/** The first words of all commands, each with what its operations are about. */
function resourcesOf(all: readonly Command[]) {
  const first = new Map<string, string>()
  for (const { id, words } of all) {
    const [name = ''] = words
    if (!first.has(name)) first.set(name, aboutTags[callable[id].tag] ?? '')
  }
  return [...first].map(([name, about]) => ({ name, about }))
}

export function cliFiles({ slug, apiVersion, problems, events }: Model): Map<string, string> {
  const all = commands()
  const files = {
    tree: treeOf(all),
    operations: all,
    resources: resourcesOf(all),
    problems: problems.map(({ code, status, title, hint }) => ({ code, status, title, hint })),
    events: events.map(({ type }) => type),
    scopes: Object.entries(scopes).map(([name, allows]) => ({ name, allows })),
    company: { name: config.name, slug, site: config.site, api: config.api, apiVersion },
  }
  return new Map(
    Object.entries(files).map(([name, value]) => [
      `cli/src/generated/${name}.json`,
      `${JSON.stringify(value, null, 1)}\n`,
    ]),
  )
}
