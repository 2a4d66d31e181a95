import { inlineLinks } from '../render/inline.ts'
import { badgesOf, type Field, type Side } from './fields.ts'

// A schema's fields as rows on a page. Nested fields open without a script.

/** Longer lists of values are collapsed. */
const valuesMax = 12

/** `path` is the fields' location, such as `body`. Each row's anchor starts with `path`. */
export function fieldRows(fields: readonly Field[], side: Side, path = ''): string {
  const rows = fields.map(field => row(field, side, path))
  return `<ul class="fields">${rows.join('')}</ul>`
}

function row(field: Field, side: Side, path: string): string {
  const { name, type, description, limits } = field
  const anchor = path === '' ? '' : `${path}.${name}`
  const badges = badgesOf(field, side).map(
    word => `<span class="badge badge-${word.split(' ')[0]}">${word}</span>`,
  )
  return [
    `<li${anchor === '' ? '' : ` id="${anchor}"`}><p class="field-head"><code>${name}</code>`,
    ` <span class="field-type">${inlineLinks(type)}</span>${badges.map(badge => ` ${badge}`).join('')}</p>`,
    description === '' ? '' : `<p>${inlineLinks(description)}</p>`,
    limits.length === 0 ? '' : `<p class="field-limits">${inlineLinks(limits.join(' · '))}</p>`,
    valuesOf(field),
    nested(field, side, anchor),
    '</li>',
  ].join('')
}

function valuesOf({ values, isOpen }: Field): string {
  if (values.length === 0) return ''
  const all = values.map(value => `<code>${value}</code>`).join(' ')
  const text = `<p class="field-values">one of ${all}</p>${isOpen ? '<p class="field-values">Values may be added.</p>' : ''}`
  if (values.length <= valuesMax) return text
  return `<details class="field-more"><summary>${values.length} values</summary>${text}</details>`
}

function nested({ fields, name }: Field, side: Side, anchor: string): string {
  if (fields.length === 0) return ''
  const count = fields.length === 1 ? '1 field' : `${fields.length} fields`
  return `<details class="field-more"><summary>${count} of <code>${name}</code></summary>${fieldRows(fields, side, anchor)}</details>`
}
