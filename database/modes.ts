import { type PoolOptions, type ConnectionPool, openPool } from './pool.ts'

/** Each a schema, in which every file of a plane runs once. */
export const modes = ['test', 'live'] as const
export type DatabaseMode = (typeof modes)[number]

type ModePoolsOptions = Omit<PoolOptions, 'url' | 'path'> & {
  urls: Readonly<Record<DatabaseMode, string>>
}

/** Connections to each plane, under its own role; `name` and the plane are what they are called. */
export function openModePools({
  urls,
  name,
  ...options
}: ModePoolsOptions): Record<DatabaseMode, ConnectionPool> {
  const pool = (mode: DatabaseMode) =>
    openPool({ ...options, url: urls[mode], name: `${name} ${mode}`, path: `${mode}, public` })
  return { test: pool('test'), live: pool('live') }
}
