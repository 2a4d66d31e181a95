// The guides and the contract on the tool server: docs_search, and resources.

import { type DocKind, docsSearch } from '#contract/tools/docs-search.ts'
import { resourcesCache, type ToolServerOperation } from '#contract/tools/server.ts'
import { argumentReader } from '../protocol/arguments.ts'
import { WrittenResult } from '../protocol/result.ts'
import type { Docs } from '../docs/docs.ts'
import type { Call, CallResult, ResourceSource, SkillSource } from '../protocol/source.ts'
import { textBlock } from './results.ts'

type Use = (operation: ToolServerOperation, call: Call, target?: string) => Promise<string>

/** `docs` returns the docs of the current site build. */
export function docsTool(docs: () => Docs, use: (call: Call) => Promise<string>) {
  const readArguments = argumentReader(docsSearch)
  return async (call: Call, given: unknown): Promise<CallResult> => {
    await use(call)
    const { input, refusal } = readArguments(given)
    if (refusal !== undefined) return refusal
    const { query, kind, limit } = input as { query: string; kind?: DocKind; limit?: number }
    const { search, blocks: blocksOf } = docs()
    const found = search(query, kind, limit)
    const text = JSON.stringify(found)
    const blocks = [textBlock(text), ...blocksOf(found).map(block => JSON.stringify(block))]
    return new WrittenResult(`"content":[${blocks.join(',')}],"structuredContent":${text}`, {
      'svc/request_id': call.request.id,
    })
  }
}

/** Skills are counted and audited like other resources. */
export const skillsOf = (docs: () => Docs, use: Use): SkillSource => ({
  cache: resourcesCache,
  async entries(call, uri) {
    const { entries } = docs().skills
    const isKnown = entries.some(entry => entry.uri === uri)
    if (uri === undefined) await use('listResources', call)
    else await use('readResource', call, isKnown ? uri : undefined)
    return entries
  },
})

export const resourcesOf = (docs: () => Docs, use: Use): ResourceSource => ({
  cache: resourcesCache,
  async list(call) {
    await use('listResources', call)
    return docs().list()
  },
  async templates(call) {
    await use('listResources', call)
    return docs().templates
  },
  async read(call, uri) {
    const read = docs().read(uri)
    // An invalid URI may contain anything, so the audit doesn't name it.
    await use('readResource', call, read.contents === null ? undefined : uri)
    return read
  },
})
