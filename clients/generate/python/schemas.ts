// The API's parameters and results as Python types.

import type { Model } from '../model.ts'
import type { NamedType } from '../shapes.ts'
import { eventClasses, eventsText } from './events.ts'
import { fieldDoc, resultText } from './results.ts'
import { exportsText, importsFor, typeText, typing, wordsType } from './text.ts'

/**
 * Nested input types. Top-level inputs need no type, because methods accept each field of a
 * top-level input as a keyword argument.
 */
export const nestedInputs = ({ types, operations }: Model): NamedType[] => {
  const whole = new Set(operations.map(({ parameters }) => parameters?.type))
  return types.filter(({ name, isInput }) => isInput && !whole.has(name))
}
export const resultTypes = ({ types }: Model): NamedType[] =>
  types.filter(({ name, isInput }) => !isInput && name !== 'Problem' && name !== 'Event')
/** The names of results and of the event union. */
export const resultNames = (model: Model): string[] => [
  ...resultTypes(model).map(({ name }) => name),
  ...eventClasses(model),
  'Event',
]

export const modulesOf = (model: Model, up: string) => ({
  datetime: ['date', 'datetime'],
  typing,
  [`${up}parameters`]: nestedInputs(model).map(({ name }) => name),
  [`${up}results`]: [...resultNames(model), 'any_event'],
  [`${up}words`]: model.words.map(({ name }) => name),
})

function parameterText({ name, fields }: NamedType): string {
  const members = fields.map(field => {
    const type = typeText(field.type, true)
    return `    ${field.name}: ${field.isRequired ? type : `NotRequired[${type}]`}\n${fieldDoc(field)}`
  })
  return `class ${name}(TypedDict):\n${members.join('')}`
}

function fileText(title: string, names: readonly string[], imports: string, text: string) {
  return `"""${title}"""\n\nfrom __future__ import annotations\n\n${imports}\n${exportsText(names)}\n\n${text}`
}

export function schemaFiles(model: Model): [string, string][] {
  const { datetime, typing: standard } = modulesOf(model, '.')
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)
  const ofWords = { '.words': names(model.words) }
  const results = [...resultTypes(model).map(resultText), eventsText(model)].join('\n\n')
  const inputs = nestedInputs(model).map(parameterText).join('\n\n')
  const words = model.words.map(({ name, values }) => `${name} = ${wordsType(values)}\n`)
  return [
    [
      'words.py',
      fileText(
        'Field values.',
        names(model.words),
        'from typing import Literal\n',
        words.join('\n'),
      ),
    ],
    [
      'results.py',
      fileText(
        'API results.',
        [...resultNames(model), 'any_event'],
        `${importsFor(results, { datetime, typing: ['TYPE_CHECKING', ...standard] })}\nfrom .._model import Model\n${importsFor(results, ofWords)}`,
        results,
      ),
    ],
    [
      'parameters.py',
      fileText(
        "Objects nested in parameters. An operation's own parameters are its arguments.",
        names(nestedInputs(model)),
        `${importsFor(inputs, { datetime, typing: ['TypedDict', ...standard] })}\nfrom .._typing import NotRequired\n${importsFor(inputs, ofWords)}`,
        inputs,
      ),
    ],
  ]
}
