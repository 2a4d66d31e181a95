// A language-independent model of a client library, computed from the contract. The emitters in
// typescript/ and python/ turn it into code. See
// docs/decisions/0110-generate-clients-from-a-model.md.

import config from '#content/site.config.ts'
import { operationIds } from '#contract/api.ts'
import { timeZones } from '#contract/api/address.ts'
import { ProblemBody } from '#contract/api/answers.ts'
import { deletableResources, type EventType, eventTypes, resourceOf } from '#contract/events.ts'
import { apiVersion, limits } from '#contract/limits.ts'
import { oauthPaths, resourceMetadataPath } from '#contract/oauth.ts'
import { everyRefusal, writeRefusal } from '#contract/operation.ts'
import { problemCodesOf, problems } from '#contract/problems.ts'
import { realtimeCloses, realtimePath, realtimeProtocol } from '#contract/realtime.ts'
import { machines } from '#contract/states.ts'
import { homesOf } from './homes.ts'
import { errorNameOf, pascal } from './names.ts'
import { operationOf } from './operations.ts'
import { type Field, type NamedType, Shapes, type Words } from './shapes.ts'
import { transport } from './transport.ts'

export type ProblemModel = {
  readonly code: string
  readonly className: string
  readonly status: number
  readonly title: string
  readonly hint: string
  /** Fields that only this problem has. */
  readonly fields: readonly Field[]
}

export type EventModel = {
  readonly type: EventType
  /** The resource, such as `case`, and the type of `data` with include_resource. */
  readonly resource: string
  readonly data: string
  /** Whether the resource can be deleted, in which case `data` is only a deletion marker. */
  readonly isDeletable: boolean
}

/** Each description of a problem's field names the codes that have the field: "With `gone`: …". */
function problemModels(): ProblemModel[] {
  shapes.add('Problem', ProblemBody, false)
  const fields = shapes.types.find(({ name }) => name === 'Problem')?.fields ?? []
  return problemCodesOf('v1').map(code => ({
    code,
    className: errorNameOf(code),
    status: problems[code].status,
    title: problems[code].title,
    hint: problems[code].hint,
    fields: fields.filter(
      ({ name, description = '' }) =>
        name === (code === 'invalid_request' ? 'errors' : '') ||
        (description.startsWith('With `') && description.includes(`\`${code}\``)),
    ),
  }))
}

const shapes = new Shapes()
const operations = operationIds.map(id => operationOf(id, shapes))
const problemsOfApi = problemModels()

export const model = {
  /** The product's name as one word, for packages, commands and variables. */
  slug: config.slug,
  apiVersion,
  operations,
  types: shapes.types satisfies NamedType[],
  words: shapes.words satisfies Words[],
  /** The tag of each type or word list, by name. */
  homes: homesOf(operations, shapes.types),
  problems: problemsOfApi,
  /** Codes that any operation may return, and those that any write may return. */
  commonRefusals: { every: everyRefusal, write: writeRefusal } as const,
  events: eventTypes.map((type): EventModel => ({
    type,
    resource: resourceOf(type),
    data: pascal(resourceOf(type)),
    isDeletable: deletableResources.has(resourceOf(type)),
  })),
  /** The transitions between states, for in-memory sandboxes. */
  machines,
  realtime: { path: realtimePath, protocol: realtimeProtocol, closes: realtimeCloses },
  oauth: { tokenPath: oauthPaths.token, metadataPath: resourceMetadataPath },
  limits: { pageMax: limits.pageMax },
  /** IANA time zones by state. */
  timeZones,
  /** The limits that in-memory sandboxes enforce. */
  sandbox: {
    reservationSeconds: limits.reservationSeconds,
    slotMinutes: limits.slotMinutes,
    bookableDays: limits.bookableDays,
    slotWindowDays: limits.slotWindowDays,
    joinOpensMinutesBefore: limits.joinOpensMinutesBefore,
    joinClosesMinutesAfter: limits.joinClosesMinutesAfter,
    joinLinkMinutes: limits.joinLinkMinutes,
    webhookEndpointsMax: limits.webhookEndpointsMax,
    webhookSecretGraceHours: limits.webhookSecretGraceHours,
  },
  transport,
} as const

export type Model = typeof model
