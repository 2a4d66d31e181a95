// A tool that runs: what it says of itself, and what it does with arguments that were checked.

import type { Static } from 'typebox'
import type { ToolDefinition } from '#contract/mcp/tool.ts'
import { argumentReader } from './arguments.ts'
import { isRecord, type ToolResult } from './result.ts'

export type Caller = {
  /** What the client calls itself, or its User-Agent; at most 200 characters. */
  readonly agent: string | null
  /** Where the call comes from, where that is known. */
  readonly address: string | null
}

export type Tool = {
  readonly definition: ToolDefinition
  /** Arguments as they came; those that do not fit the schema are refused with a pointer each. */
  call(given: unknown, caller: Caller): ToolResult | Promise<ToolResult>
}

/** What is asked before the schema is, such as whether the person agreed at all. */
export type First = (given: Readonly<Record<string, unknown>>) => ToolResult | undefined

export function tool<const D extends ToolDefinition>(
  definition: D,
  run: (input: Static<D['input']>, caller: Caller) => ToolResult | Promise<ToolResult>,
  first: First = () => undefined,
): Tool {
  const read = argumentReader(definition)
  return {
    definition,
    call(given, caller) {
      const answer = isRecord(given) ? first(given) : undefined
      if (answer !== undefined) return answer
      const { input, refusal } = read(given)
      return refusal ?? run(input as Static<D['input']>, caller)
    },
  }
}
