// A case, as the console's operations return it.
import type { OperationResult } from '../../context.ts'

export type Review = Extract<OperationResult<'readChart'>, { problem: null }>['value']
