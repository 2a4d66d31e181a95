import { table } from '#contract/api.ts'
import { openapi } from '#contract/derive/clinical.ts'
import config from '#content/site.config.ts'
import type { Schema } from './fields.ts'
import type { Route } from './link-list.ts'
import type { Part } from './parts.ts'

/** A page generated from the contract, before it is rendered. */
export type GeneratedPage = {
  path: string
  title: string
  /** The label in the sidebar and in lists. */
  label: string
  group: string
  /** An operation's route. A badge shows its method. */
  route?: Route
  description: string
  /** The names that people search for it by. */
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
 * The contract as it is published. The cast holds because `openapi` writes these members for every
 * table, which its own tests assert.
 */
export const contract = openapi(table, config) as unknown as Published

/** A reference to a schema or a parameter, followed. */
export function followed(schema: Schema): Schema {
  const [, kind, name = ''] =
    /^#\/components\/(schemas|parameters)\/(.+)$/.exec(String(schema['$ref'])) ?? []
  if (kind === undefined) return schema
  return contract.components[kind === 'schemas' ? 'schemas' : 'parameters'][name] ?? {}
}
