// A tool that runs: what it says of itself, and what it does with arguments that were checked.

import type { Static } from 'typebox'
import type { ToolDefinition } from '#contract/mcp/tool.ts'
import { argumentReader } from './arguments.ts'

export type Text = { readonly type: 'text'; readonly text: string }

export type ToolResult = {
  readonly content: Text[]
  /** Absent from a refusal: a client holds whatever is there against the output schema. */
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: true
}

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

/** The object, and the same as text for clients that read no structure. */
export function answer(value: object, ...more: string[]): ToolResult {
  return {
    content: [JSON.stringify(value), ...more].map(text => ({ type: 'text', text })),
    structuredContent: value as Record<string, unknown>,
  }
}

export type Fault = { readonly pointer: string; readonly code: string; readonly message: string }

export type Refused = {
  /** Stable, in snake_case. */
  readonly code: string
  /** This one occasion. */
  readonly detail: string
  /** What to do next, as an instruction. */
  readonly hint: string
  readonly errors?: readonly Fault[]
  readonly alternatives?: readonly unknown[]
}

/** A result that a model can mend, not a failure of the protocol. */
export const refusal = (refused: Refused): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(refused) }],
  isError: true,
})

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
