// Writes a method's doc comment: its description, its requirements, its errors and an example.

import type { Model } from '../model.ts'
import type { OperationModel } from '../operations.ts'
import { comment } from './text.ts'

/** An object as a programmer writes it, without quotes around its names. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'string') return `'${value.replaceAll(/[\\']/g, found => `\\${found}`)}'`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const nameOf = (name: string) => (/^\w+$/.test(name) ? name : `'${name}'`)
  const fields = Object.entries(value).map(([name, one]) => `${nameOf(name)}: ${literal(one)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

/** An example's call, with the values from the contract's examples. */
export function exampleCall(operation: OperationModel, slug: string): string {
  const { resource, verb, pathParameters, examples } = operation
  const [params] = Object.values(examples)
  const values = [
    ...pathParameters.map(({ example }) => literal(example)),
    ...(params === undefined || literal(params) === '{}' ? [] : [literal(params)]),
  ]
  return `${[slug, ...resource, verb].join('.')}(${values.join(', ')})`
}

export function exampleOf(operation: OperationModel, slug: string): string {
  const call = exampleCall(operation, slug)
  if (operation.result.kind === 'page') {
    return `for await (const one of ${call}) console.log(one.${operation.result.cursor})`
  }
  return operation.result.kind === 'download'
    ? `const response = await ${call}\nconsole.log(await response.json())`
    : `await ${call}`
}

const list = (words: readonly string[]) => words.map(word => `\`${word}\``).join(', ')

export function docOf(model: Model, operation: OperationModel, example: string): string {
  const { summary, description, scope, isTestOnly, emits, refusals } = operation
  const problems = new Map<string, Model['problems'][number]>(
    model.problems.map(problem => [problem.code, problem]),
  )
  const throws = refusals.map(code => {
    const problem = problems.get(code)
    return `@throws {${problem?.className}} ${problem?.title}.`
  })
  const facts = [
    `Scope: \`${scope}\`.`,
    ...(isTestOnly ? ['Test mode only.'] : []),
    ...(emits.length > 6 ? ['Writes one event.'] : []),
    ...(emits.length > 0 && emits.length <= 6 ? [`Events: ${list(emits)}.`] : []),
  ].join(' ')
  const tags = [...throws, `@example\n\`\`\`ts\n${example}\`\`\``].join('\n')
  return comment([summary, description, facts, tags].filter(Boolean), '  ')
}
