// Writes events into a sandbox with no other writer.

import { rivera } from '#contract/examples.ts'
import type { Cli } from './use-cli.ts'

type Events = { data: { id: string }[] }

/** Changes one patient repeatedly, because changes don't count toward any limit. */
export async function openWriter({ call }: Cli) {
  const patient = String((await call('POST', '/v1/patients', rivera))['id'])
  let last: string | undefined
  let changed = 0

  async function since(): Promise<string[]> {
    const after = last === undefined ? '' : `&starting_after=${last}`
    const { data } = (await call('GET', `/v1/events?limit=100${after}`)) as unknown as Events
    const ids = data.map(({ id }) => id)
    last = ids.at(-1) ?? last
    return ids.length < 100 ? ids : [...ids, ...(await since())]
  }

  await since()
  return {
    /** Writes this many events; returns their IDs, in order. */
    async write(count: number): Promise<string[]> {
      const change = async () => {
        const phone = `+14155550${100 + (++changed % 100)}`
        const answer = await call('PATCH', `/v1/patients/${patient}`, { phone })
        if (answer.id !== patient)
          throw new Error(`The platform refused a change: ${JSON.stringify(answer)}`)
      }
      for (let left = count; left > 0; left -= 10) {
        await Promise.all(Array.from({ length: Math.min(left, 10) }, change))
      }
      return since()
    },
  }
}
