import { eventPath, schemaPath, scopeLink } from '#content/reference.ts'
import { operationIds, table } from '#contract/api.ts'
import { schemaExamples } from '#contract/examples/schemas.ts'
import { ids } from '#contract/examples/resources.ts'
import {
  type EventResource,
  type EventType,
  eventTypes,
  resourceOf,
  scopeOfResource,
} from '#contract/events.ts'
import { machines } from '#contract/states.ts'
import { articleOf, withArticle } from './article.ts'
import { contract, type GeneratedPage } from './contract.ts'
import { fieldRows } from './field-rows.ts'
import { fieldLines, fieldsOf, type Schema } from './fields.ts'
import { stateDiagramName } from '../figures/state-diagrams.ts'
import { operationList } from './link-list.ts'
import { inColumns } from './parts.ts'
import { json } from './samples.ts'

const mentions = (schema: unknown, name: string) =>
  JSON.stringify(schema).includes(`"$id":"${name}"`)

export const schemaPages = (): GeneratedPage[] =>
  Object.entries(contract.components.schemas).map(([name, schema]) => schemaPage(name, schema))

function schemaPage(name: string, schema: Schema): GeneratedPage {
  const summary = String(schema['description'] ?? name)
  const fields = fieldsOf(schema)
  const used = operationIds.filter(id => mentions(table[id].returns, name))
  const example = schemaExamples[name]
  const machine = machines[name]
  return {
    path: schemaPath(name),
    title: `The ${name} schema`,
    label: name,
    group: 'Schemas',
    description: `${summary} Every field with its type and meaning, and an example.`,
    names: [name],
    body: inColumns({
      head: [
        summary,
        ...(machine === undefined
          ? []
          : [
              `## States\n\n![The statuses of ${article(name)} and the operations that change them. A ring means the operation is allowed from that status. A dot means it ends there.](figure:${stateDiagramName(name)})`,
            ]),
      ],
      samples: example === undefined ? [] : [`## Example\n\n${json(example)}`],
      rest: [
        '## Fields',
        {
          markdown: fieldLines(fields, 'response').join('\n'),
          html: fieldRows(fields, 'response', 'field'),
        },
        ...(used.length === 0 ? [] : [`## Returned by`, operationList(used)]),
      ],
    }),
  }
}

const article = (name: string) => `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name.toLowerCase()}`

export const eventPages = (): GeneratedPage[] => eventTypes.map(eventPage)

function eventPage(type: EventType): GeneratedPage {
  const resource = resourceOf(type)
  const caused = operationIds.filter(id => table[id].emits?.includes(type))
  const schema = schemaOf(resource)
  const words = type.split('.')[1]?.replaceAll('_', ' ') ?? ''
  return {
    path: eventPath(type),
    title: type,
    label: type,
    group: 'Event types',
    description: `Sent on: ${resource.replaceAll('_', ' ')} ${words}. What causes ${type}, what it contains, and the scope you need to see its resource.`,
    names: [type, type.replace(/\.v\d+$/, '')],
    body: inColumns({
      head: [
        schema === null
          ? `About ${withArticle(resource.replaceAll('_', ' '))}.`
          : `About ${articleOf(schema)} [${schema}](${schemaPath(schema)}). It has the fields of an [Event](${schemaPath('Event')}).`,
        `With \`include_resource\` and the scope ${scopeLink(scopeOfResource[resource])}, \`data\` is the current resource.`,
      ],
      samples: [example(type)].filter(Boolean),
      rest:
        caused.length === 0
          ? ['No operation causes this event yet.']
          : ['## Caused by', operationList(caused)],
    }),
  }
}

function schemaOf(resource: EventResource): string | null {
  const name = resource.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
  return contract.components.schemas[name] === undefined ? null : name
}

/** An example event. A state event's earlier state follows from the transitions. */
function example(type: EventType): string {
  const resource = resourceOf(type)
  const word = type.split('.')[1] ?? ''
  const machine = machines[schemaOf(resource) ?? '']
  const id = new Map<string, string>(Object.entries(ids)).get(resource)
  if (machine === undefined || !machine.states.includes(word) || id === undefined) return ''
  const before = Object.values(machine.transitions).flatMap(({ from, to, ends = [] }) =>
    ends.includes(word) && to !== null ? [to] : to === word ? [...from] : [],
  )
  const previous = before.find(state => state !== word)
  // Only an initial state has no previous state.
  if (previous === undefined && machine.states[0] !== word) return ''
  const event = {
    ...(schemaExamples['Event'] as object),
    type,
    resource: { type: resource, id },
    status: word,
    previous_status: previous ?? null,
  }
  return `## Example\n\n${json(event)}`
}
