// The clinical tool server: docs_search, and one tool for each operation marked as a tool, limited
// to the operations that the caller's credential may use. Calls go through the clinical API's
// pipeline, which authenticates, checks, counts and audits them.

import { LRUCache } from 'lru-cache'
import type { Problem } from '#contract/problems.ts'
import { docsSearch } from '#contract/tools/docs-search.ts'
import { asksBefore } from '#contract/tools/hints.ts'
import {
  isKept,
  isPermitted,
  listedTools,
  type Permitted,
  toolsOf,
} from '#contract/tools/listing.ts'
import { toolsCache, type ToolServerOperation } from '#contract/tools/server.ts'
import { type ClinicalTool, clinicalTools } from '#contract/tools/tools.ts'
import { agentOf } from '../protocol/message.ts'
import { Ask, isRecord, refusal } from '../protocol/result.ts'
import type { Call, ToolCall, ToolList, ToolSource } from '../protocol/source.ts'
import type { Docs } from '../docs/docs.ts'
import { docsTool, resourcesOf, skillsOf } from './docs.ts'
import { narrowingOf } from './narrowing.ts'
import { type ToolOutcome, answeredResult, refusedResult } from './results.ts'

type Outcome = ToolOutcome | { readonly problem: Problem }

/** The clinical API (clinical/tools/). */
type ClinicalCalls = {
  call(tool: ClinicalTool, given: Readonly<Record<string, unknown>>, by: Call): Promise<Outcome>
  /** Runs a client action other than a tool call. `target` is the audited resource. */
  use(operation: ToolServerOperation, by: Call, target?: string): Promise<Outcome>
}

export type ClinicalParts = {
  readonly calls: ClinicalCalls
  /** Whether the request has something that may be a credential. */
  hasCredential(call: Call['request']): boolean
  /** The guides and contract of the current site build. */
  docs(): Docs
  /** The public origin, for problem types. */
  readonly base: string
}

const tools = new Map(clinicalTools.map(tool => [tool.name, tool]))
/** Limits memory use: a list takes up to fifty kilobytes. */
const listsMax = 200

/** Returns the result of one of the server's own operations; throws its refusal. */
async function used(
  calls: ClinicalCalls,
  operation: ToolServerOperation,
  call: Call,
  target?: string,
): Promise<string> {
  const outcome = await calls.use(operation, call, target)
  if ('problem' in outcome) throw outcome.problem
  return outcome.body
}

export function clinicalSource(parts: ClinicalParts): ToolSource {
  const { calls, docs } = parts
  const lists = new LRUCache<string, ToolList>({ max: listsMax })
  const search = docsTool(docs, call => used(calls, 'searchDocs', call))
  const use = (operation: ToolServerOperation, call: Call, target?: string) =>
    used(calls, operation, call, target)
  const permittedOf = async (call: Call): Promise<Permitted> =>
    JSON.parse(await used(calls, 'listTools', call)) as Permitted
  return {
    cache: toolsCache,
    async open(request) {
      if (!parts.hasCredential(request)) {
        const agent = agentOf(undefined, request.headers)
        await used(calls, 'connectToolServer', { request, agent })
      }
      narrowingOf(request)
    },
    async admit(call, method) {
      const isHandshake = method === 'initialize' || method === 'server/discover'
      await used(calls, isHandshake ? 'connectToolServer' : 'pingToolServer', call)
    },
    async list(call) {
      const body = await used(calls, 'listTools', call)
      const key = `${body} ${call.request.search}`
      const before = lists.get(key)
      if (before !== undefined) return before
      const narrowing = narrowingOf(call.request)
      const permitted: Permitted = JSON.parse(body)
      const list = { tools: listedTools(toolsOf(permitted, narrowing)) }
      lists.set(key, list)
      return list
    },
    async call(call, asked) {
      if (asked.name === docsSearch.name) return search(call, asked.given)
      const tool = tools.get(asked.name)
      if (tool === undefined || !isKept(tool, narrowingOf(call.request))) return
      const at = { tool, base: parts.base, requestId: call.request.id }
      if (asksBefore(tool.verb) && isOpen(asked) && isPermitted(tool, await permittedOf(call))) {
        return asked.confirmation === 'unasked' ? new Ask(questionOf(tool, asked)) : notConfirmed
      }
      const outcome = await calls.call(tool, isRecord(asked.given) ? asked.given : {}, call)
      return 'problem' in outcome
        ? refusedResult(outcome.problem, at)
        : answeredResult(outcome, call.request.id)
    },
    resources: resourcesOf(docs, use),
    skills: skillsOf(docs, use),
  }
}

const notConfirmed = refusal({
  code: 'not_confirmed',
  detail: 'The user was asked and did not confirm. Nothing was done.',
  hint: 'Do not call again unless the user asks for it.',
})

/** Whether the person can be asked and hasn't confirmed. */
const isOpen = ({ confirmation }: ToolCall) =>
  confirmation === 'unasked' || confirmation === 'declined'

/** Of the model's values, shows only an ID, because any other text would appear to be ours. */
function questionOf({ title }: ClinicalTool, { given }: ToolCall): string {
  const id = isRecord(given) ? given['id'] : undefined
  const named = typeof id === 'string' && /^[a-z]{2,8}_[0-9a-z]{26}$/.test(id) ? ` (${id})` : ''
  return `${title}${named}? This cannot be undone.`
}
