import { table } from '#contract/api.ts'
import { openapi } from '#contract/derive/clinical.ts'
import config from '#content/site.config.ts'
import type { Schema } from './fields.ts'

/** A page generated from the contract, before it is rendered. */
export type Made = {
  path: string
  title: string
  /** In the sidebar and in lists. */
  label: string
  group: string
  description: string
  /** The names by which people search for it. */
  names: string[]
  body: string[]
}

type Published = {
  paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>
  components: { schemas: Readonly<Record<string, Schema>> }
}

/**
 * The contract as it is published. The cast holds because `openapi` writes both members for every
 * table, which its own tests assert.
 */
export const contract = openapi(table, config.api) as unknown as Published
