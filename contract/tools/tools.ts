// The clinical tool server's tools, from the table of operations: one per row marked as a tool, in
// table order, then docs_search.

import { operationIds, table } from '../api.ts'
import type { Hints } from '../mcp/tool.ts'
import type { Operation } from '../operation.ts'
import { hintsOf, verbOf } from './hints.ts'
import { toolNameOf } from './names.ts'
import { type Prose, prose, type ToolId } from './prose.ts'
import { inputOf, type ObjectSchema, outputOf, type ToolInput } from './schemas.ts'

export type ClinicalTool = Prose & {
  readonly operationId: ToolId
  readonly operation: Operation
  readonly name: string
  readonly verb: string
  readonly hints: Hints
  readonly input: ToolInput
  readonly output: ObjectSchema
}

const isToolId = (id: string): id is ToolId => Object.hasOwn(prose, id)

export const clinicalTools: readonly ClinicalTool[] = operationIds
  .filter(isToolId)
  .map(operationId => {
    const operation = table[operationId]
    const verb = verbOf(operationId)
    return {
      ...prose[operationId],
      operationId,
      operation,
      name: toolNameOf(operationId, operation.path),
      verb,
      hints: hintsOf(operation.method, verb),
      input: inputOf(operation),
      output: outputOf(operation),
    }
  })

/** A tool as `tools/list` returns it. */
export const listedTool = ({ name, title, description, input, output, hints }: ClinicalTool) => ({
  name,
  title,
  description,
  inputSchema: input.schema,
  outputSchema: output,
  annotations: { title, ...hints },
})
