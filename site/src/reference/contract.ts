import { table } from '#contract/api.ts'
import { openapi } from '#contract/derive/clinical.ts'
import config from '#content/site.config.ts'
import type { Schema } from './fields.ts'
import type { Route } from './link-list.ts'
import type { Part } from './parts.ts'

/** A page generated from the contract, before rendering. */
export type GeneratedPage = {
  path: string
  title: string
  /** The label in the sidebar and in lists. */
  label: string
  group: string
  /** An operation's route. A badge shows its method. */
  route?: Route
  description: string
  /** The names that people use to search for the page. */
  names: string[]
  body: Part[]
}

type Published = {
  paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    parameters: Readonly<Record<string, Schema>>
  }
}

/**
 * The published contract. The cast is safe because `openapi` writes these fields for every table,
 * as its own tests assert.
 */
export const contract = openapi(table, config) as unknown as Published

/** Resolves a reference to a schema or parameter. */
export function followed(schema: Schema): Schema {
  const [, kind, name = ''] =
    /^#\/components\/(schemas|parameters)\/(.+)$/.exec(String(schema['$ref'])) ?? []
  if (kind === undefined) return schema
  return contract.components[kind === 'schemas' ? 'schemas' : 'parameters'][name] ?? {}
}
