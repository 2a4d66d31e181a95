// The definition of a tool. The server card and tools/list are both made from it, so they cannot
// differ.

import type { TObject } from 'typebox'

export type Hints = {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

export type ToolDefinition = {
  /** a-z, 0-9 and underscores: some clients accept nothing else. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** Closed at every depth. */
  readonly input: TObject
  readonly output: TObject
  readonly hints: Hints
}

/** A tool as `tools/list` answers it. */
export function listed({ name, title, description, input, output, hints }: ToolDefinition) {
  return {
    name,
    title,
    description,
    inputSchema: plain(input),
    outputSchema: shapeOf(output),
    annotations: { title, ...hints },
  }
}

type Listed = { type: 'object'; [keyword: string]: unknown }

/** As plain JSON, without the internal members of the schema library. */
const plain = (schema: TObject): Listed => JSON.parse(JSON.stringify(schema))

/**
 * The same without the bounds and patterns of answers, which cost a model tokens without use, and
 * not closed, so that a client that validates answers accepts members added later.
 */
const shapeOf = (schema: TObject): Listed =>
  JSON.parse(JSON.stringify(schema, (name, value) => (isBound(name, value) ? undefined : value)))

/** Checks the value as well, because a property may have the same name. */
const isBound = (name: string, value: unknown): boolean =>
  (name === 'additionalProperties' && value === false) ||
  (name === 'pattern' && typeof value === 'string') ||
  (/^(?:minimum|maximum|maxItems|maxLength)$/.test(name) && typeof value === 'number')
