// Result classes.

import type { Field, NamedType } from '../shapes.ts'
import { aboutField, docstring, nameText, typeText } from './text.ts'

/** A field's docstring. */
export const fieldDoc = (field: Field) => {
  const text = aboutField(field)
  return text ? docstring([text], 4) : ''
}

/** A result's class. */
export function resultText({ name, description, fields }: NamedType): string {
  // A field with a default can't come before a field without a default.
  const ordered = [
    ...fields.filter(one => one.isRequired),
    ...fields.filter(one => !one.isRequired),
  ]
  const members = ordered.map(field => {
    const type = typeText(field.type, false)
    const text = field.isRequired ? type : `Optional[${type}] = None`
    return `    ${nameText(field.name)}: ${text}\n${fieldDoc(field)}`
  })
  const doc = description === undefined ? '' : `${docstring([description], 4)}\n`
  return `class ${name}(Model):\n${doc}${members.join('')}`
}
