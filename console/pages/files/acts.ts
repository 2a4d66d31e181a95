// Handles the forms on a document.
import { act, textOf } from '../../act.ts'
import { filePage } from './file.tsx'

const common = { page: 'file', show: filePage } as const

export const removalHandlers = {
  requestRemoval: act({
    ...common,
    operation: 'requestRemoval',
    said: 'asked',
    body: form => ({ reason: textOf(form, 'reason') }),
  }),
  cancelRemoval: act({ ...common, operation: 'cancelRemoval', said: 'kept' }),
  confirmRemoval: act({ ...common, operation: 'confirmRemoval', said: 'removed' }),
}
