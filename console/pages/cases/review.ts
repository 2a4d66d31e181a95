// What the console reads of a case.
import type { OperationResult } from '../../context.ts'

export type Review = Extract<OperationResult<'readChart'>, { problem: null }>['value']
