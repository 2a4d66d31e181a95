// What a tool server says of a tool. The same values are printed in its card and answered to
// tools/list, so neither can promise what the other does not.

import type { TObject } from 'typebox'

export type Hints = {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

export type ToolDefinition = {
  /** a-z, 0-9 and underscores: some clients take nothing else. */
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

/** As plain JSON: what the schema library keeps for itself does not travel. */
const plain = (schema: TObject): Listed => JSON.parse(JSON.stringify(schema))

/**
 * The same without what binds nobody but us, which a model would pay for and not use. Nor is it
 * said to be closed: a client that holds answers against it must bear a member that comes later.
 */
const shapeOf = (schema: TObject): Listed =>
  JSON.parse(JSON.stringify(schema, (name, value) => (isBound(name, value) ? undefined : value)))

/** By its value as well, because a member may be called so. */
const isBound = (name: string, value: unknown): boolean =>
  (name === 'additionalProperties' && value === false) ||
  (name === 'pattern' && typeof value === 'string') ||
  (/^(?:minimum|maximum|maxItems|maxLength)$/.test(name) && typeof value === 'number')
