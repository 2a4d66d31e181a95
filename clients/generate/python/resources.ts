// The methods of both clients, one file for each resource of the API.

import { snake } from '#contract/derive/names.ts'
import type { Model } from '../model.ts'
import { pascal } from '../names.ts'
import type { OperationModel } from '../operations.ts'
import type { Field } from '../shapes.ts'
import { modulesOf } from './schemas.ts'
import { aboutField, docstring, importsFor, nameText, typeText } from './text.ts'

/** One of the two clients, and how its methods are written. */
export type Flavor = {
  /** The folder for the client's resources. */
  readonly folder: string
  readonly prefix: '' | 'Async'
  readonly isAsync: boolean
}

export const flavors: readonly Flavor[] = [
  { folder: 'blocking', prefix: '', isAsync: false },
  { folder: 'asynchronous', prefix: 'Async', isAsync: true },
]

/** A resource whose methods are its operations: `['test', 'cases']` is `test.cases`. */
export type ResourceModel = {
  readonly path: readonly string[]
  readonly operations: OperationModel[]
}

/** In contract order; `test` comes before its children. */
export function resourcesOf({ operations }: Model): ResourceModel[] {
  const byPath = Map.groupBy(operations, ({ resource }) => resource.join('.'))
  return [...byPath].map(([path, list]) => ({ path: path.split('.'), operations: list }))
}

/** `organization` returns an Organization, so the class with its methods needs another name. */
const resourceAndResult: ReadonlySet<string> = new Set(['Organization', 'Usage'])

export function classOf(path: readonly string[]): string {
  const name = path.map(pascal).join('')
  return resourceAndResult.has(name) ? `${name}Resource` : name
}
export const fileOf = (path: readonly string[]) => path.map(snake).join('_')

type Argument = { readonly text: string; readonly name: string; readonly about: string }

/** Whether null clears the field, so an omitted argument must differ from null. */
const isCleared = ({ type, isRequired, ...field }: Field) =>
  type.kind === 'nullable' && !isRequired && field.default === undefined

function argumentOf(field: Field): Argument {
  const name = nameText(field.name)
  const type = typeText(field.type, true)
  const about = aboutField(field)
  if (field.isRequired) return { name, text: `${name}: ${type}`, about }
  if (isCleared(field)) {
    const cleared = [about, 'None clears it.'].filter(Boolean).join(' ')
    return { name, text: `${name}: Union[${type}, NotGiven] = NOT_GIVEN`, about: cleared }
  }
  const optional = type.startsWith('Optional[') ? type : `Optional[${type}]`
  return { name, text: `${name}: ${optional} = None`, about }
}

function resultType({ result }: OperationModel, { prefix }: Flavor): string {
  switch (result.kind) {
    case 'resource':
      return result.type
    case 'page':
      return `${prefix}Page[${result.item}]`
    case 'list':
      return `List[${result.item}]`
    case 'download':
      return `Download[${result.type}]`
  }
}

const aboutETag =
  'if_none_match: The etag of an earlier download: when nothing has changed, content is empty and is_unchanged True.'

/** The base class call that performs the method. */
function callText(operation: OperationModel, fields: readonly Field[], flavor: Flavor): string {
  const { method, path, pathParameters, parameters, result, echoes } = operation
  const kind = { resource: '_request', page: '_page', list: '_items', download: '_download' }
  const returns = 'item' in result ? result.item : result.type
  const ids = pathParameters.map(({ name, argument }) => `"${name}": ${argument}`).join(', ')
  const values = fields.map(({ name }) => `"${name}": ${nameText(name)}`).join(', ')
  const clears = fields.filter(isCleared).map(({ name }) => `"${name}"`)
  const body = clears.length > 0 ? `{${values}}, clears=(${clears.join(', ')},)` : `{${values}}`
  const given = [
    returns === 'Event' ? 'any_event' : returns,
    ...(result.kind === 'page' ? [] : [`"${method}"`]),
    `"${path}"`,
    ...(result.kind === 'page' ? [`"${result.cursor}"`] : []),
    'options',
    ...(ids ? [`ids={${ids}}`] : []),
    ...(parameters?.in === 'query' ? [`query=given({${values}})`] : []),
    ...(parameters?.in === 'body' ? [`body=given(${body})`] : []),
    ...(echoes === null ? [] : [`echoes="${echoes}"`]),
    ...(result.kind === 'download' ? ['if_none_match=if_none_match'] : []),
  ]
  const waits = flavor.isAsync && result.kind !== 'page' ? 'await ' : ''
  return `        return ${waits}self.${kind[result.kind]}(${given.join(', ')})\n`
}

const fieldsOf = ({ parameters }: OperationModel, { types }: Model): readonly Field[] =>
  types.find(({ name }) => name === parameters?.type)?.fields ?? []

/** Required arguments first. */
const argumentsOf = (operation: OperationModel, model: Model): Argument[] => {
  const [required = [], optional = []] = [true, false].map(isRequired =>
    fieldsOf(operation, model).filter(one => one.isRequired === isRequired),
  )
  return [...required, ...optional].map(argumentOf)
}

function signatureOf(operation: OperationModel, model: Model): string {
  const { pathParameters, result, isWrite } = operation
  const keywords = [
    ...argumentsOf(operation, model).map(({ text }) => text),
    ...(result.kind === 'download' ? ['if_none_match: Optional[str] = None'] : []),
  ]
  return [
    'self',
    ...pathParameters.map(({ argument }) => `${argument}: str`),
    ...(keywords.length > 0 ? ['*', ...keywords] : []),
    `**options: Unpack[${isWrite ? 'Write' : 'Call'}Options]`,
  ].join(', ')
}

/** A method's declaration for type checkers, when the caller requests raw responses. */
function rawMethodText(operation: OperationModel, model: Model, flavor: Flavor): string {
  const define = flavor.isAsync ? 'async def' : 'def'
  const name = nameText(snake(operation.verb))
  const returns = `RawResponse[${resultType(operation, flavor)}]`
  return `        ${define} ${name}(${signatureOf(operation, model)}) -> ${returns}: ...\n`
}

function methodText(operation: OperationModel, model: Model, flavor: Flavor): string {
  const { result, scope, emits, refusals } = operation
  const taken = argumentsOf(operation, model)
  const events = emits.length > 0 && emits.length < 10 ? ` Events: ${emits.join(', ')}.` : ''
  const raised = refusals.map(
    code => model.problems.find(one => one.code === code)?.className ?? '',
  )
  const doc = docstring(
    [operation.summary, operation.description, `Scope: ${scope}.${events}`],
    8,
    [
      {
        title: 'Args',
        entries: [
          ...taken.filter(({ about }) => about).map(({ name, about }) => `${name}: ${about}`),
          ...(result.kind === 'download' ? [aboutETag] : []),
        ],
      },
      { title: 'Raises', entries: raised },
    ],
  )
  const define = flavor.isAsync && result.kind !== 'page' ? 'async def' : 'def'
  const name = nameText(snake(operation.verb))
  return `    ${define} ${name}(${signatureOf(operation, model)}) -> ${resultType(operation, flavor)}:\n${doc}${callText(operation, fieldsOf(operation, model), flavor)}`
}

function classText(
  resource: ResourceModel,
  all: readonly ResourceModel[],
  model: Model,
  flavor: Flavor,
): string {
  const name = `${flavor.prefix}${classOf(resource.path)}`
  const below = all.filter(
    ({ path }) => path.length === resource.path.length + 1 && path[0] === resource.path[0],
  )
  const children = below.map(
    ({ path }) =>
      `        self.${snake(path.at(-1) ?? '')}: ${flavor.prefix}${classOf(path)} = ${flavor.prefix}${classOf(path)}(caller)\n`,
  )
  const own =
    children.length === 0
      ? ''
      : `    def __init__(self, caller: ${flavor.prefix}Caller, raw: bool = False) -> None:\n        super().__init__(caller, raw)\n${children.join('')}\n`
  const wrapped = resource.operations.map(one => rawMethodText(one, model, flavor))
  const methods = resource.operations.map(one => methodText(one, model, flavor))
  const spoken = resource.path.map(snake).join('.')
  return [
    `class ${name}(${flavor.prefix}Resource):\n    """\`${spoken}\` of \`${flavor.prefix}Client\`."""\n`,
    own || '',
    `    @property\n    def with_raw_response(self) -> ${name}WithRawResponse:\n        """The same methods; each returns its result together with the response."""\n        return ${name}WithRawResponse(${name}(self._caller, raw=True))\n`,
    ...methods,
    `\nclass ${name}WithRawResponse(WithRawResponse):\n    """The methods of \`${name}\`, with their responses."""\n\n    if TYPE_CHECKING:\n\n${wrapped.join('\n')}`,
  ]
    .filter(Boolean)
    .join('\n')
}

function fileText(
  resource: ResourceModel,
  all: readonly ResourceModel[],
  model: Model,
  flavor: Flavor,
): string {
  const text = classText(resource, all, model, flavor)
  const { datetime, typing: standardNames = [], ...ours } = modulesOf(model, '..')
  const names = ['TYPE_CHECKING', ...standardNames]
  const { prefix } = flavor
  const children = Object.fromEntries(
    all
      .filter(({ path }) => path.length > resource.path.length && path[0] === resource.path[0])
      .map(({ path }) => [`.${fileOf(path)}`, [`${prefix}${classOf(path)}`]]),
  )
  const standard = importsFor(text, { datetime: datetime ?? [], typing: names })
  const local = importsFor(text, {
    '..._answers': ['Download', 'RawResponse'],
    '..._calls': ['given'],
    '..._given': ['NOT_GIVEN', 'NotGiven'],
    '..._options': ['CallOptions', 'WriteOptions'],
    '..._pages': [`${prefix}Page`],
    '..._resource': [`${prefix}Caller`, `${prefix}Resource`, 'WithRawResponse'],
    '..._typing': ['Unpack'],
    ...ours,
    ...children,
  })
  return `from __future__ import annotations\n\n${standard}\n${local}\n\n${text}`
}

export function resourceFiles(model: Model): [string, string][] {
  const all = resourcesOf(model)
  return flavors.flatMap(flavor => [
    [`${flavor.folder}/__init__.py`, ''] as [string, string],
    ...all.map((resource): [string, string] => [
      `${flavor.folder}/${fileOf(resource.path)}.py`,
      fileText(resource, all, model, flavor),
    ]),
  ])
}

/** Resources with handwritten methods beyond the contract's. */
const extended: ReadonlySet<string> = new Set(['cases', 'consents', 'events', 'exports', 'files'])
/** Like `extended`, for the asyncio client, which also has a handwritten realtime method. */
const asyncExtended: ReadonlySet<string> = new Set([...extended, 'realtime'])

/** The resources as a client's attributes. */
export function namespaceFiles(model: Model): [string, string][] {
  const top = resourcesOf(model).filter(({ path }) => path.length === 1)
  return flavors.map(({ folder, prefix, isAsync }) => {
    const nameOf = (path: readonly string[]) => `${prefix}${classOf(path)}`
    const moduleOf = (path: readonly string[]) => {
      if (!(isAsync ? asyncExtended : extended).has(fileOf(path)))
        return `.${folder}.${fileOf(path)}`
      return isAsync ? '.._async_extended' : '.._extended'
    }
    const modules = Object.entries(Object.groupBy(top, ({ path }) => moduleOf(path)))
    const members = top.map(
      ({ path }) => `        self.${fileOf(path)}: ${nameOf(path)} = ${nameOf(path)}(caller)\n`,
    )
    const text = `class ${prefix}Resources:\n    """The API's resources, as attributes of \`${prefix}Client\`."""\n\n    def __init__(self, caller: ${prefix}Caller) -> None:\n${members.join('')}`
    const imports = importsFor(text, {
      '.._resource': [`${prefix}Caller`],
      ...Object.fromEntries(
        modules.map(([name, group = []]) => [name, group.map(({ path }) => nameOf(path))]),
      ),
    })
    const name = isAsync ? 'async_namespaces.py' : 'namespaces.py'
    return [name, `from __future__ import annotations\n\n${imports}\n\n${text}`]
  })
}
