// A call with what it sent and caused, as the preview of the API answers it.
import type { ApiResult } from '../../context.ts'

export type Details = Extract<ApiResult<'getRequest'>, { problem: null }>['value']
