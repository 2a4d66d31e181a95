// The pages of documents.

import { consoleOperations } from './operations.ts'
import { by, definePages } from './page.ts'

const of = consoleOperations
const file = '/{organization}/files/{id}'

export const filePages = definePages({
  file: { method: 'GET', path: file, title: 'Document', ...by(of.readFile), parent: 'queue' },
  filePage: {
    method: 'GET',
    path: '/{organization}/files/{id}/pages/{page}',
    title: 'Page of a document',
    ...by(of.viewFile),
  },
  requestRemoval: {
    method: 'POST',
    path: '/{organization}/files/{id}/removal',
    title: 'Ask for the removal of a document',
    ...by(of.requestRemoval),
    page: file,
  },
  cancelRemoval: {
    method: 'POST',
    path: '/{organization}/files/{id}/removal/cancel',
    title: 'Keep a document',
    ...by(of.cancelRemoval),
    page: file,
  },
  confirmRemoval: {
    method: 'POST',
    path: '/{organization}/files/{id}/removal/confirm',
    title: 'Remove a document',
    ...by(of.confirmRemoval),
    page: file,
  },
})
