// A tool: its definition, and the function that runs with validated arguments.

import type { Static } from 'typebox'
import type { ToolDefinition } from '#contract/mcp/tool.ts'
import { argumentReader } from './arguments.ts'
import { isRecord, type ToolResult } from './result.ts'

export type Caller = {
  /** The client's name or its User-Agent, at most 200 characters. */
  readonly agent: string | null
  /** The caller's IP address, if known. */
  readonly address: string | null
}

export type Tool = {
  readonly definition: ToolDefinition
  /** Validates the arguments, and refuses with a pointer to each invalid argument. */
  call(sent: unknown, caller: Caller): ToolResult | Promise<ToolResult>
}

/** Runs before schema validation, for example to check the person's consent. */
export type Precheck = (sent: Readonly<Record<string, unknown>>) => ToolResult | undefined

export function tool<const D extends ToolDefinition>(
  definition: D,
  run: (input: Static<D['input']>, caller: Caller) => ToolResult | Promise<ToolResult>,
  precheck: Precheck = () => undefined,
): Tool {
  const read = argumentReader(definition)
  return {
    definition,
    call(sent, caller) {
      const answer = isRecord(sent) ? precheck(sent) : undefined
      if (answer !== undefined) return answer
      const { input, refusal } = read(sent)
      return refusal ?? run(input as Static<D['input']>, caller)
    },
  }
}
