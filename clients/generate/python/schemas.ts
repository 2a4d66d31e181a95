// What the API takes and answers, as types of Python: words, results and parameters.

import type { Model } from '../model.ts'
import type { Field, NamedType } from '../shapes.ts'
import {
  aboutField,
  docstring,
  exportsText,
  importsFor,
  nameText,
  typeText,
  typing,
  wordsType,
} from './text.ts'

/** Of an operation these are keyword arguments, and of a refusal the members of its error. */
export const nestedInputs = ({ types, operations }: Model): NamedType[] => {
  const whole = new Set(operations.map(({ parameters }) => parameters?.type))
  return types.filter(({ name, isInput }) => isInput && !whole.has(name))
}
export const resultTypes = ({ types }: Model): NamedType[] =>
  types.filter(({ name, isInput }) => !isInput && name !== 'Problem')

export const modulesOf = (model: Model, up: string) => ({
  datetime: ['date', 'datetime'],
  typing,
  [`${up}parameters`]: nestedInputs(model).map(({ name }) => name),
  [`${up}results`]: resultTypes(model).map(({ name }) => name),
  [`${up}words`]: model.words.map(({ name }) => name),
})

const about = (field: Field) => {
  const text = aboutField(field)
  return text ? docstring([text], 4) : ''
}

function resultText({ name, description, fields }: NamedType): string {
  // A field with a default cannot stand before one without.
  const ordered = [
    ...fields.filter(one => one.isRequired),
    ...fields.filter(one => !one.isRequired),
  ]
  const members = ordered.map(field => {
    const type = typeText(field.type, false)
    const text = field.isRequired ? type : `Optional[${type}] = None`
    return `    ${nameText(field.name)}: ${text}\n${about(field)}`
  })
  const doc = description === undefined ? '' : `${docstring([description], 4)}\n`
  return `class ${name}(Model):\n${doc}${members.join('')}`
}

function parameterText({ name, fields }: NamedType): string {
  const members = fields.map(field => {
    const type = typeText(field.type, true)
    return `    ${field.name}: ${field.isRequired ? type : `NotRequired[${type}]`}\n${about(field)}`
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
  const results = resultTypes(model).map(resultText).join('\n\n')
  const inputs = nestedInputs(model).map(parameterText).join('\n\n')
  const words = model.words.map(({ name, values }) => `${name} = ${wordsType(values)}\n`)
  return [
    [
      'words.py',
      fileText(
        'Texts with a list of values. A later version of the API may have one that is not here.',
        names(model.words),
        'from typing import Literal, Union\n',
        words.join('\n'),
      ),
    ],
    [
      'results.py',
      fileText(
        'What the API answers.',
        names(resultTypes(model)),
        `${importsFor(results, { datetime, typing: standard })}\nfrom .._model import Model\n${importsFor(results, ofWords)}`,
        results,
      ),
    ],
    [
      'parameters.py',
      fileText(
        'Objects inside of what the API takes. What an operation takes itself are its arguments.',
        names(nestedInputs(model)),
        `${importsFor(inputs, { datetime, typing: ['TypedDict', ...standard] })}\nfrom .._typing import NotRequired\n${importsFor(inputs, ofWords)}`,
        inputs,
      ),
    ],
  ]
}
