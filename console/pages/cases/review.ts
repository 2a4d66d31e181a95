// The case as the console reads it.
import type { OperationResult } from '../../context.ts'

export type Review = Extract<OperationResult<'readChart'>, { problem: null }>['value']
