// Pages for saved replies, note templates and the chart's banner.

import { form, page } from './page.ts'

const roles = ['admin', 'clinician', 'nurse'] as const

export const textPages = {
  texts: page('/templates', 'Templates', { roles, group: 'Clinic' }),
  saveText: form('/templates', 'Save a template', { roles }),
  removeText: form('/templates/{id}/remove', 'Remove a saved reply', { roles, page: '/templates' }),
}
