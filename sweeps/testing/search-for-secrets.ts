// Reads every place where a database could store a secret. These places are its rows, its files,
// which also contain changed and deleted data, and its log of every statement with parameters.
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import path from 'node:path'
import { SQL } from 'bun'
import { sql, type Statement } from '#database/sql.ts'

type Run = <R extends Record<string, unknown>>(statement: Statement) => Promise<R[]>

/** All tables' rows as text. */
export async function everyRow(run: Run): Promise<string> {
  const tables = await run<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`)
  let text = ''
  for (const { name } of tables) {
    const rows = await run<{ text: string | null }>(
      sql([`select string_agg(t::text, ' ') as text from ${name} t`] as unknown as never),
    )
    text += `${name} ${rows[0]?.text ?? ''}\n`
  }
  return text
}

const serverFolder = async (run: Run) =>
  (await run<{ dir: string }>(sql`select current_setting('data_directory') as dir`))[0]?.dir ?? ''

/** The files of all tables and indexes, with a character for each byte. */
export async function everyFile(run: Run): Promise<string> {
  await run(sql`checkpoint`)
  const files = await run<{ file: string }>(sql`
    select pg_relation_filepath(c.oid) as file from pg_class c
     where c.relkind in ('r', 'i', 't', 'S')
       and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
       and pg_relation_size(c.oid) > 0`)
  const dir = await serverFolder(run)
  return files.map(({ file }) => readFileSync(path.join(dir, file), 'latin1')).join('\n')
}

/** Returns the server's log of this database's new sessions from now on. */
export async function logEveryStatement(url: string, run: Run): Promise<() => string> {
  const file = `${await serverFolder(run)}.log`
  const { size } = statSync(file)
  // By default, the test server doesn't log statements.
  await using owner = new SQL(url, { max: 1 })
  const name = new URL(url).pathname.slice(1)
  await owner.unsafe(`alter database ${name} set log_min_messages = 'log'`)
  await owner.unsafe(`alter database ${name} set log_statement = 'all'`)
  return () => {
    const bytes = Buffer.alloc(statSync(file).size - size)
    const handle = openSync(file, 'r')
    readSync(handle, bytes, 0, bytes.length, size)
    closeSync(handle)
    return bytes.toString('utf8')
  }
}

/** Shorter texts would occur by chance among millions of characters. */
const lengthMin = 8

/** A text in every form in which it could be stored: unchanged and encoded. */
export function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  // In base64, the first characters depend on what precedes the text, and the last on what follows.
  const base64 = [0, 1, 2].flatMap(before => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const inner = text.slice(before === 0 ? 0 : 4, -4)
    if (inner.length < lengthMin) return []
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })
  const percent = [...bytes].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('')
  const form = new URLSearchParams({ '': value }).toString().slice(1)
  const encoded = [encodeURIComponent(value), form, percent]
  const all = [value, bytes.toString('hex'), ...base64, ...encoded]
  return [...new Set(all.map(one => one.toLowerCase()))]
}
