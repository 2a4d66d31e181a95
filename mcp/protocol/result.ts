// What a tool answers: an object with its text, or a refusal that a model can act on.

export type Text = { readonly type: 'text'; readonly text: string }

export type ToolResult = {
  readonly content: Text[]
  /** Absent from a refusal: a client holds whatever is there against the output schema. */
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: true
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
