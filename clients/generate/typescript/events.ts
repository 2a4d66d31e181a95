// Events as a union that `type` narrows: one type for each kind of resource.

import type { EventModel, Model } from '../model.ts'
import { pascal } from '../names.ts'
import type { NamedType } from '../shapes.ts'
import { comment, fieldText } from './text.ts'

/** Fields whose type depends on the event type. */
const narrowed: ReadonlySet<string> = new Set(['type', 'resource', 'data'])

const aboutData = '  /** The resource as it is now. Present only with include_resource. */\n'

const dataOf = ({ data, isDeletable }: EventModel) => (isDeletable ? `${data} | Deleted` : data)

/** The types that the events refer to. */
export const eventNames = ({ events }: Model): string[] => [
  ...events.map(({ data }) => data),
  'Deleted',
]

/** The union that replaces the schema `Event`. */
export function eventsText(model: Model, { description = '', fields }: NamedType): string {
  const kinds = [...Map.groupBy(model.events, ({ resource }) => resource)]
  const names = kinds.map(([resource]) => `${pascal(resource)}Event`)
  const known = kinds.map(([resource, events]) =>
    [
      `${comment([`An event about one of your ${resource.replaceAll('_', ' ')}s.`])}`,
      `export interface ${pascal(resource)}Event extends BaseEvent {\n`,
      `  type: ${events.map(({ type }) => `'${type}'`).join(' | ')}\n`,
      `  resource: { type: '${resource}'; id: string }\n`,
      `${aboutData}  data?: ${events.slice(0, 1).map(dataOf).join('')}\n}\n`,
    ].join(''),
  )
  return [
    comment(['The fields that every event has.']),
    `export interface BaseEvent {\n${fields
      .filter(({ name }) => !narrowed.has(name))
      .map(fieldText)
      .join('')}}\n\n`,
    known.join('\n'),
    '\n/** A string: the type of an event that this version of the package doesn’t know. */\n',
    // A separate type that is also a string, so comparing `type` excludes the event.
    "export declare enum UnknownEventType {\n  later = '',\n}\n\n",
    comment(['An event whose type this version of the package doesn’t know.']),
    'export interface UnknownEvent extends BaseEvent {\n',
    '  type: UnknownEventType\n  resource: EventResource\n',
    `${aboutData}  data?: Record<string, unknown>\n}\n\n`,
    comment([`${description} \`switch (event.type)\` narrows \`data\` and \`resource\`.`]),
    `export type Event = ${[...names, 'UnknownEvent'].join(' | ')}\n\n`,
    comment(['An event of one type.']),
    'export type EventOf<T extends EventType> = T extends `${infer Kind}.${string}`\n',
    '  ? Extract<Event, { resource: { type: Kind } }> & { type: T }\n  : never\n',
  ].join('')
}
