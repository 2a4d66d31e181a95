// `--jq` runs jq itself, compiled to WebAssembly. Loaded only when the flag is used.

import { createRequire } from 'node:module'
import { usage } from '../errors.ts'

type Jq = { raw(json: string, filter: string, flags: readonly string[]): Promise<string> | string }

/** The copy of jq inside a single-file executable. */
const { svcJq } = globalThis as { svcJq?: () => Promise<Jq> }

export async function filtered(value: unknown, expression: string): Promise<string> {
  const load = createRequire(import.meta.url)
  const jq = await (svcJq ? svcJq() : (load('./offline/jq/jq.js') as Promise<Jq>))
  try {
    const text = await jq.raw(JSON.stringify(value ?? null), expression, ['-r'])
    return text.endsWith('\n') || text === '' ? text : `${text}\n`
  } catch (error) {
    throw usage(`--jq: ${faultOf(error as Error & { stderr?: string })}`)
  }
}

/** jq's error message, without jq's name and its guess about the shell. */
function faultOf({ stderr, message }: { stderr?: string; message: string }): string {
  const [first = ''] = (stderr ?? message).split('\n')
  return first.replace(/^jq: error(?: \([^)]*\))?: /, '').replace(/ \([^)]*\?\)| at <.*$/g, '')
}
