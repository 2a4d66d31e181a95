// The events of the API with the resource that each is about.

import type { Model } from '../model.ts'
import { importsOf } from './schemas.ts'

export function eventsFile(model: Model): string {
  const names = model.events.map(({ data }) => data)
  return [
    `import type { Event } from './schemas/events.ts'\n`,
    importsOf(model, names, null, './schemas'),
    '\n/** By type: the kind of resource, and the resource that `data` holds. */\n',
    'export interface EventResources {\n',
    ...model.events.map(
      ({ type, resource, data }) => `  '${type}': { kind: '${resource}'; data: ${data} }\n`,
    ),
    '}\n\n/** The types that this version of the package knows. */\n',
    'export type KnownEventType = keyof EventResources\n\n',
    '/** An event of one type. */\n',
    'export type EventOf<T extends KnownEventType> = T extends KnownEventType\n',
    `  ? Omit<Event, 'type' | 'resource' | 'data'> & {\n      type: T\n`,
    `      resource: { type: EventResources[T]['kind']; id: string }\n`,
    '      /** The resource as it is now. Only with include_resource. */\n',
    `      data?: EventResources[T]['data']\n    }\n  : never\n`,
  ].join('')
}
