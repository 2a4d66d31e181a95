// The pages of documents.

import { consoleOperations } from './operations.ts'
import { by, form, page } from './page.ts'

const of = consoleOperations

export const filePages = {
  file: page('/files/{id}', 'Document', { ...by(of.readFile), parent: 'queue' }),
  filePage: page('/files/{id}/pages/{page}', 'Page of a document', by(of.viewFile)),
  downloadFile: page('/files/{id}/original', 'Original of a document', by(of.downloadFile)),
  requestRemoval: form('/files/{id}/removal', 'Ask for the removal of a document', {
    ...by(of.requestRemoval),
    page: '/files/{id}',
  }),
  cancelRemoval: form('/files/{id}/removal/cancel', 'Keep a document', {
    ...by(of.cancelRemoval),
    page: '/files/{id}',
  }),
  confirmRemoval: form('/files/{id}/removal/confirm', 'Remove a document', {
    ...by(of.confirmRemoval),
    page: '/files/{id}',
  }),
}
