import { type PoolOptions, type ConnectionPool, openPool } from './pool.ts'

/** Each mode is a schema. Every *.mode.sql migration runs once in each. */
export const modes = ['test', 'live'] as const
export type DatabaseMode = (typeof modes)[number]

type ModePoolsOptions = Omit<PoolOptions, 'url' | 'path'> & {
  urls: Readonly<Record<DatabaseMode, string>>
}

/** A connection pool for each mode, with the mode's own role. Connections are named after the mode
 *  and the role. */
export function openModePools({
  urls,
  name,
  ...options
}: ModePoolsOptions): Record<DatabaseMode, ConnectionPool> {
  const pool = (mode: DatabaseMode) =>
    openPool({ ...options, url: urls[mode], name: `${name} ${mode}`, path: `${mode}, public` })
  return { test: pool('test'), live: pool('live') }
}

/** A *.mode.sql file's text for one mode. Lines keep their numbers, for error messages. */
export function textIn(text: string, mode: DatabaseMode): string {
  let block: string = mode
  const lines = text.split('\n').map(line => {
    block = /^-- begin only (test|live)$/.exec(line)?.[1] ?? block
    const only = / -- only (test|live)$/.exec(line)?.[1] ?? block
    if (line.startsWith('-- end only')) block = mode
    return only === mode ? line.replaceAll('{mode}', mode) : ''
  })
  return lines.join('\n')
}
