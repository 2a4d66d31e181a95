// A tool's definition. The server card and tools/list are both built from this definition, so they
// can't differ.

import type { TObject } from 'typebox'

export type Hints = {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

export type ToolDefinition = {
  /** Only a-z, 0-9 and underscores, because some clients accept nothing else. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** The arguments, closed at every depth. */
  readonly input: TObject
  readonly output: TObject
  readonly hints: Hints
}

/** A tool as `tools/list` returns it. */
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

type ObjectSchema = { type: 'object'; [keyword: string]: unknown }

/** A schema as plain JSON, without the schema library's internal properties. */
const plain = (schema: TObject): ObjectSchema => JSON.parse(JSON.stringify(schema))

/**
 * An output schema without bounds and patterns, because bounds and patterns only cost a model
 * tokens. The schema isn't closed, so a client that validates results accepts fields added later.
 */
const shapeOf = (schema: TObject): ObjectSchema =>
  JSON.parse(JSON.stringify(schema, (name, value) => (isBound(name, value) ? undefined : value)))

/** Also checks the value, because a property can have a keyword's name. */
const isBound = (name: string, value: unknown): boolean =>
  (name === 'additionalProperties' && value === false) ||
  (name === 'pattern' && typeof value === 'string') ||
  (/^(?:minimum|maximum|maxItems|maxLength)$/.test(name) && typeof value === 'number')
