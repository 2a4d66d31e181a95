// Handler types for the preview's operations (clinical/pipeline/handler.ts). Decided in
// docs/decisions/0097-serve-a-preview-beside-v1.md.

import type { previewOperations } from '#contract/preview/operations.ts'
import type { Principal } from '#auth/principal.ts'
import { handlersOf } from '../pipeline/handler.ts'

export const { read, write } = handlersOf<typeof previewOperations, Principal>()
