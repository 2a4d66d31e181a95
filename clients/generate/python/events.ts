// Events as a union that `type` narrows: one class for each kind of resource.

import type { EventModel, Model } from '../model.ts'
import { pascal } from '../names.ts'
import { resultText } from './results.ts'
import { docstring, wordsType } from './text.ts'

/** Fields whose type depends on the event type. */
const narrowed: ReadonlySet<string> = new Set(['type', 'resource', 'data'])

const kindsOf = ({ events }: Model) => [...Map.groupBy(events, ({ resource }) => resource)]
const classOf = (resource: string) => `${pascal(resource)}Event`

/** The union's classes, their base class, and a class for types from a later version. */
export const eventClasses = (model: Model): string[] => [
  'BaseEvent',
  ...kindsOf(model).map(([resource]) => classOf(resource)),
  'UnknownEvent',
]

const aboutData = docstring(['The resource as it is now. None without include_resource.'], 4)

const dataOf = ({ data, isDeletable }: EventModel) =>
  isDeletable ? `Union[${data}, Deleted]` : data

const classText = (name: string, about: string, type: string, data: string) =>
  `class ${name}(BaseEvent):\n${docstring([about], 4)}\n    type: ${type}\n    resource: EventResource\n    data: Optional[${data}] = None\n${aboutData}`

/** The union that replaces the schema `Event`. */
export function eventsText(model: Model): string {
  const schema = model.types.find(({ name }) => name === 'Event')
  const base = {
    name: 'BaseEvent',
    description: 'The fields that every event has.',
    isInput: false,
    fields: (schema?.fields ?? []).filter(({ name }) => !narrowed.has(name)),
  }
  const known = kindsOf(model).map(([resource, events]) =>
    classText(
      classOf(resource),
      `An event about one of your ${resource.replaceAll('_', ' ')}s.`,
      wordsType(events.map(({ type }) => type)),
      events.slice(0, 1).map(dataOf).join(''),
    ),
  )
  const unknown = classText(
    'UnknownEvent',
    "An event whose type this version of the package doesn't know.",
    'str',
    'Dict[str, Any]',
  )
  const names = kindsOf(model).map(([resource]) => classOf(resource))
  const union = (list: readonly string[]) => `Event = Union[${list.join(', ')}]`
  return [
    resultText(base),
    ...known,
    unknown,
    // Comparing `type` excludes only classes whose type is a Literal, so a type checker doesn't see
    // UnknownEvent.
    `if TYPE_CHECKING:\n    ${union(names)}\n    any_event: Type[Event]\nelse:\n    ${union([...names, 'UnknownEvent'])}\n    any_event = Event\n`,
  ].join('\n\n')
}
