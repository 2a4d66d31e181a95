// A request with its body and effects, as the preview API returns it.
import type { ApiResult } from '../../context.ts'

export type Details = Extract<ApiResult<'getRequest'>, { problem: null }>['value']
