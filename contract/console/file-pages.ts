// Document pages.

import { consoleOperations } from './operations.ts'
import { by, form, page } from './page.ts'

const of = consoleOperations

export const filePages = {
  file: page('/files/{id}', 'Document', { ...by(of.readFile), parent: 'queue' }),
  filePage: page('/files/{id}/pages/{page}', 'Document page', by(of.viewFile)),
  downloadFile: page('/files/{id}/original', 'Original document', by(of.downloadFile)),
  requestRemoval: form('/files/{id}/removal', 'Request document removal', {
    ...by(of.requestRemoval),
    page: '/files/{id}',
  }),
  cancelRemoval: form('/files/{id}/removal/cancel', 'Keep document', {
    ...by(of.cancelRemoval),
    page: '/files/{id}',
  }),
  confirmRemoval: form('/files/{id}/removal/confirm', 'Remove document', {
    ...by(of.confirmRemoval),
    page: '/files/{id}',
  }),
}
