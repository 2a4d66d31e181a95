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
    outputSchema: plain(output),
    annotations: { title, ...hints },
  }
}

/** As plain JSON: what the schema library keeps for itself does not travel. */
const plain = (schema: TObject): { type: 'object'; [keyword: string]: unknown } =>
  JSON.parse(JSON.stringify(schema))
