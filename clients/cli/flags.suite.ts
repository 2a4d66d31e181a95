// Options that every command accepts.

import { describe, expect, test } from 'bun:test'
import { rivera } from '#contract/examples.ts'
import { problemResponse } from './testing/problem.ts'
import type { Cli } from './testing/use-cli.ts'

export function flagsSuite(cli: Cli): void {
  const env = () => ({ SVC_API_KEY: cli.platform.key })

  describe('headers on every request', () => {
    test('--organization and -H are sent; -H can’t replace the program’s own headers', async () => {
      const seen: (string | null)[] = []
      const api = Bun.serve({
        port: 0,
        fetch: ({ headers }) => {
          seen.push(
            headers.get('service-organization'),
            headers.get('traceparent'),
            headers.get('x-b'),
          )
          return problemResponse(404, 'not_found')
        },
      })
      const at = ['cases', 'list', '--base-url', `http://localhost:${api.port}`]
      const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
      const organization = 'org_01m7wqryk2hdshyqxcd9x2kd4r'
      const more = ['--organization', organization, '-H', `traceparent: ${trace}`, '-H', 'X-B: 1']
      const lines = [
        [...more, ...at],
        [...at, '-H', 'Authorization: x'],
        [...at, '-H', 'no colon'],
      ]
      const ran = await cli.shell.runAll(lines, { env: env() })
      await api.stop(true)
      expect(ran.map(({ code }) => code)).toEqual([6, 2, 2])
      expect(seen).toEqual([organization, trace, '1'])
    })
  })

  describe('formats', () => {
    test('--output csv: one header, a column for each inner field, quoted as spreadsheets expect', async () => {
      const body = { ...rivera, last_name: 'O"Hara, Jr.', external_id: 'csv-1' }
      const { id } = await cli.call('POST', '/v1/patients', body)
      const list = ['patients', 'list', '--external-id', 'csv-1', '--output', 'csv']
      const fields = ['--fields', 'id,last_name,address.city,middle_name']
      const ran = await cli.shell.runAll(
        [[...list, ...fields], list, ['patients', 'get', id, '-o', 'csv'], [...list, '-o', 'x']],
        { env: env() },
      )
      const city = rivera.address.city
      expect(ran[0]?.out).toBe(
        `id,last_name,address.city,middle_name\n${id},"O""Hara, Jr.",${city},\n`,
      )
      expect(ran[1]?.out).toStartWith('id,')
      expect(ran[1]?.out).toContain(',address.postal_code,')
      expect(ran[2]?.out).toBe(ran[1]?.out ?? '')
      expect(ran[3]?.err).toStartWith('Error: --output must be one of table, json')
    })
  })
}
