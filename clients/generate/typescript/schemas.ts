// The API's input and output types, one file per part of the API.

import { namesIn } from '../homes.ts'
import type { Model } from '../model.ts'
import type { NamedType, Words } from '../shapes.ts'
import { eventNames, eventsText } from './events.ts'
import { comment, fieldText, wordsType } from './text.ts'

const fileOf = (tag: string) => tag.toLowerCase()

const wordsText = ({ name, values }: Words) => `export type ${name} = ${wordsType(values)}\n`

function interfaceText({ name, description, fields }: NamedType): string {
  const doc = description === undefined ? '' : comment([description])
  const body = fields.map(fieldText).join('')
  return `${doc}export interface ${name} {\n${body}}\n`
}

/** The imports that a file for `tag` needs for these names, from the schemas folder. */
export function importsOf(
  model: Model,
  names: Iterable<string>,
  tag: string | null,
  folder: string,
): string {
  const others = [...new Set(names)].filter(name => (model.homes.get(name) ?? tag) !== tag)
  const byFile = Map.groupBy(others.toSorted(), name => fileOf(model.homes.get(name) ?? ''))
  return [...byFile]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, list]) => `import type { ${list.join(', ')} } from '${folder}/${file}.ts'\n`)
    .join('')
}

export function schemaFiles(model: Model): Map<string, string> {
  const tags = [...new Set(model.homes.values())]
  const all = tags.map(tag => `export type * from './schemas/${fileOf(tag)}.ts'\n`).join('')
  const files = new Map([['schemas.ts', `${all}`]])
  for (const [name, text] of tagFiles(model, tags)) files.set(name, text)
  return files
}

function tagFiles(model: Model, tags: readonly string[]): Map<string, string> {
  return new Map(
    tags.map(tag => {
      const isHere = ({ name }: { name: string }) => model.homes.get(name) === tag
      const types = model.types.filter(isHere)
      const isEvent = ({ name }: NamedType) => name === 'Event'
      const used = [
        ...types.flatMap(({ fields }) => fields.flatMap(({ type }) => namesIn(type))),
        ...(types.some(isEvent) ? eventNames(model) : []),
      ]
      const text = [
        importsOf(model, used, tag, '.'),
        ...model.words.filter(isHere).map(wordsText),
        ...types.map(one => (isEvent(one) ? eventsText(model, one) : interfaceText(one))),
      ]
      return [`schemas/${fileOf(tag)}.ts`, text.filter(Boolean).join('\n')]
    }),
  )
}
