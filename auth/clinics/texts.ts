// A clinic's reusable texts: a chart's banner, note templates and saved replies
// (migrations/0021_notes.sql).

import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { actOf } from '../act.ts'
import { type ActOfClinic, decideClinicChange } from './staff.ts'

export const textKinds = ['banner', 'template', 'decline', 'question', 'message'] as const
type TextKind = (typeof textKinds)[number]

export const textLimits = { nameMax: 80, bodyMax: 5000 } as const

export type ClinicText = Row & {
  readonly id: string
  readonly kind: TextKind
  readonly name: string
  readonly body: string
  /** Whether only the author can use it. Otherwise the whole clinic can. */
  readonly is_own: boolean
}

/** The clinic's texts and the person's own, sorted by kind and name. */
export const readClinicTexts = (connection: Connection, organization: string, person: string) =>
  connection.run<ClinicText>(sql`
    select id, kind, name, body, person is not null as is_own from auth.clinic_texts
     where organization = ${organization} and (person is null or person = ${person})
     order by kind, person is null, lower(name), id`)

type NewText = Pick<ClinicText, 'kind' | 'name' | 'body' | 'is_own'>

/** Replaces the text with the same kind and name. */
export const saveClinicText = (
  connection: Connection,
  { kind, name, body, is_own }: NewText,
  act: ActOfClinic,
) =>
  decideClinicChange(
    connection,
    sql`auth.save_clinic_text(${act.organization}, ${is_own ? (act.person ?? null) : null}::text, ${kind},
      ${name}, ${body}, ${actOf(act)})`,
  )

export const removeClinicText = (connection: Connection, id: string, act: ActOfClinic) =>
  decideClinicChange(
    connection,
    sql`auth.remove_clinic_text(${act.organization}, ${id}, ${actOf(act)})`,
  )
