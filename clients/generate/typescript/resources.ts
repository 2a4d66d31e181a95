// API methods, one file per resource.

import type { Model } from '../model.ts'
import { pascal } from '../names.ts'
import type { OperationModel } from '../operations.ts'
import { importsOf } from './schemas.ts'
import { docOf } from './docs.ts'

export const camel = (name: string) =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** `TestCasesResource` for `test.cases`. */
export const classOf = (path: readonly string[]) => `${path.map(pascal).join('')}Resource`
export const fileOf = (path: readonly string[]) =>
  path.map(word => word.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)).join('-')

const nameIn = ({ result }: OperationModel) => ('item' in result ? result.item : result.type)

function returned({ result }: OperationModel): string {
  if (result.kind === 'page') return `List<${result.item}>`
  if (result.kind === 'list') return `Call<{ data: ${result.item}[]; has_more: boolean }>`
  return result.kind === 'download' ? `Call<JsonResponse<${result.type}>>` : `Call<${result.type}>`
}

function optionsOf({ result, isWrite }: OperationModel): string {
  if (result.kind === 'download') return 'DownloadOptions'
  return isWrite ? 'WriteOptions' : 'CallOptions'
}

function argumentsOf(operation: OperationModel): string {
  const { pathParameters, parameters } = operation
  return [
    ...pathParameters.map(({ argument }) => `${camel(argument)}: string`),
    ...(parameters ? [`params${parameters.isRequired ? '' : '?'}: ${parameters.type}`] : []),
    `options?: ${optionsOf(operation)}`,
  ].join(', ')
}

function bodyOf(operation: OperationModel): string {
  const { method, path, pathParameters, parameters, result, echoes } = operation
  const ids = pathParameters.map(({ argument }) => camel(argument))
  const given = [
    `'${method} ${path.replace('/v1', '')}'`,
    `[${ids.join(', ')}]`,
    ...(result.kind === 'download' ? [] : [parameters ? 'params' : 'undefined']),
    'options',
    ...(result.kind === 'page' ? [`'${result.cursor}'`] : []),
    ...(echoes === null ? [] : [`'${echoes}'`]),
  ].join(', ')
  const names = { page: 'pages', download: 'bytes', resource: 'request', list: 'request' }
  return `this.${names[result.kind]}(${given})`
}

/** Each operation's example code, by id. */
export type Examples = ReadonlyMap<string, string>

function methodOf(model: Model, operation: OperationModel, examples: Examples): string {
  const head = `  ${operation.verb}(${argumentsOf(operation)}): ${returned(operation)}`
  return `${docOf(model, operation, examples.get(operation.id) ?? '')}${head} {\n    return ${bodyOf(operation)}\n  }\n`
}

/** The groups of methods. A group comes after the groups that it contains. */
export function groupsOf(model: Model): readonly (readonly string[])[] {
  const paths = new Map(model.operations.map(({ resource }) => [resource.join('.'), resource]))
  return [...paths.values()]
}

/** The groups directly below a group. */
export const groupsIn = (model: Model, path: readonly string[]) =>
  groupsOf(model).filter(
    group => group.length === path.length + 1 && path.every((word, at) => group[at] === word),
  )

function resourceText(model: Model, path: readonly string[], examples: Examples): string {
  const isHere = ({ resource }: OperationModel) => resource.join('.') === path.join('.')
  const operations = model.operations.filter(isHere)
  const inner = groupsIn(model, path)
  const kinds = new Set(operations.map(({ result }) => result.kind))
  const functions = [...(kinds.has('download') ? ['type JsonResponse'] : []), 'Resource']
  const names = operations.flatMap(one => [nameIn(one), one.parameters?.type ?? nameIn(one)])
  const options = [...new Set(operations.map(optionsOf))].toSorted()
  const needsCall = [...kinds].some(kind => kind !== 'page')
  return [
    needsCall ? `import type { Call } from '../../call.ts'\n` : '',
    `import type { ${options.join(', ')} } from '../../options.ts'\n`,
    kinds.has('page') ? `import type { List } from '../../page.ts'\n` : '',
    `import { ${functions.join(', ')} } from '../../resource.ts'\n`,
    importsOf(model, names, null, '../schemas'),
    ...inner.map(group => `import { ${classOf(group)} } from './${fileOf(group)}.ts'\n`),
    `\nexport class ${classOf(path)} extends Resource {\n`,
    ...inner.map(group => `  readonly ${group.at(-1)} = new ${classOf(group)}(this.transport)\n`),
    inner.length > 0 ? '\n' : '',
    operations.map(operation => methodOf(model, operation, examples)).join('\n'),
    '}\n',
  ].join('')
}

/** Groups with handwritten methods beyond the contract's. */
const extended: ReadonlySet<string> = new Set(['cases', 'consents', 'events', 'files', 'realtime'])

function clientText(model: Model): string {
  const top = groupsIn(model, []).map(([name = '']) =>
    extended.has(name)
      ? {
          name,
          type: pascal(name),
          file: name === 'realtime' ? '../realtime/realtime.ts' : `../${name}.ts`,
        }
      : { name, type: classOf([name]), file: `./resources/${fileOf([name])}.ts` },
  )
  return [
    `import type { Transport } from '../transport.ts'\n`,
    ...top.map(({ type, file }) => `import { ${type} } from '${file}'\n`),
    '\n/** Every operation of the API. */\nexport class GeneratedClient {\n',
    ...top.map(({ name, type }) => `  readonly ${name}: ${type}\n`),
    '\n  constructor(transport: Transport) {\n',
    ...top.map(({ name, type }) => `    this.${name} = new ${type}(transport)\n`),
    '  }\n}\n',
  ].join('')
}

export function resourceFiles(model: Model, examples: Examples): Map<string, string> {
  return new Map([
    ['client.ts', clientText(model)],
    ...groupsOf(model).map((path): [string, string] => [
      `resources/${fileOf(path)}.ts`,
      resourceText(model, path, examples),
    ]),
  ])
}
