// A tool's result: an object that is also text, or a refusal that a model can act on.

type Text = { readonly type: 'text'; readonly text: string }

export type ToolResult = {
  readonly content: Text[]
  /** Absent from refusals, because clients validate this field against the output schema. */
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: true
  readonly _meta?: Record<string, unknown>
}

/** Returns the object as structured content, and as text for clients that ignore it. */
export function answer(value: object, ...more: string[]): ToolResult {
  return {
    content: [JSON.stringify(value), ...more].map(text => ({ type: 'text', text })),
    structuredContent: value as Record<string, unknown>,
  }
}

/** A result's fields as JSON text, written once and sent unchanged. */
export class WrittenResult {
  constructor(
    /** The result without braces: `"content":[…],"structuredContent":{…}`. */
    readonly members: string,
    /** The fields of `_meta`. */
    readonly meta: Readonly<Record<string, unknown>> = {},
  ) {}
}

/** A question that the person at the client answers before the call runs. */
export class Ask {
  constructor(readonly message: string) {}
}

export type Fault = { readonly pointer: string; readonly code: string; readonly message: string }

export type ToolRefusal = {
  /** Stable, in snake_case. */
  readonly code: string
  /** Describes this occurrence. */
  readonly detail: string
  /** What to do next, as an instruction. */
  readonly hint: string
  readonly errors?: readonly Fault[]
  readonly alternatives?: readonly unknown[]
}

/** A refusal as a result instead of a protocol error, so a model can act on the refusal. */
export const refusal = (refused: ToolRefusal): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(refused) }],
  isError: true,
})

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
