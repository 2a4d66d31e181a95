// Runs every command line in the CLI's guide and README.

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { exitCodes } from './src/errors.ts'
import type { MapRow } from './src/map.ts'
import { scenarioNames } from './src/sandbox/scenarios.ts'
import type { Line } from './testing/shell.ts'
import type { Cli } from './testing/use-cli.ts'

const root = path.join(import.meta.dir, '../..')

const documents = {
  'content/docs/cli.md': /^```bash\n([^]*?)^```$/gm,
  'clients/cli/README.md': /^```sh\n([^]*?)^```$/gm,
}

const linesOf = (file: keyof typeof documents) =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(documents[file])].flatMap(
    ([, text = '']) => text.trim().split('\n'),
  )

/** Splits a line as a shell does: quotes keep words together, and a redirect isn't a word. */
const wordsOf = (line: string) =>
  [...line.replace(/ > \S+$/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, one, two, three]) => one ?? two ?? three ?? '',
  )

function typed(line: string): Line {
  const [, keep, inner] = /^(\w+)=\$\((.*)\)$/.exec(line) ?? []
  const words = wordsOf(inner ?? line).slice(1)
  return keep === undefined ? words : { keep, words }
}

/** These commands have their own tests, because they wait, prompt a person, or start a platform. */
const elsewhere =
  /^(npm |svc (listen|login$|logs tail|events tail|dev )|echo "?\$SVC_API_KEY"? \| svc login --api-key -$)/

export function guideSuite(cli: Cli): void {
  describe('the guide and the README', () => {
    test('exit codes and the number of scenarios match the program', () => {
      const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
      const rows = [...read('content/docs/cli.md').matchAll(/^\| (\d+) \| /gm)]
      expect(rows.map(([, code]) => Number(code))).toEqual(Object.values(exitCodes))
      expect(scenarioNames).toHaveLength(13)
      for (const file of ['content/docs/sandbox.md', 'clients/cli/CHANGELOG.md']) {
        expect([file, /\bthirteen\b/.test(read(file))]).toEqual([file, true])
      }
    })

    for (const file of Object.keys(documents) as (keyof typeof documents)[]) {
      test(`${file}: every line works`, async () => {
        const { base, key } = cli.platform
        const cases = await cli.call('GET', '/v1/cases?limit=1')
        const all = linesOf(file).map(line =>
          line
            .replace('http://localhost:3000', base)
            .replace(/case_01\w+/, cases.data[0]?.id ?? '')
            .replace(/"(\$\w+)"/, '$1'),
        )
        const lines = all.filter(line => !elsewhere.test(line))
        expect(lines.length).toBeGreaterThan(4)
        expect(lines.filter(line => !/^(\w+=\$\()?svc /.test(line))).toEqual([])
        const env = { SVC_BASE_URL: '', SVC_API_KEY: key }
        const ran = await cli.shell.runAll([...lines.map(typed), ['map', '--json']], { env })
        const failed = ran.flatMap(({ code, err }, at) =>
          code === 0 ? [] : [`${lines[at]}: ${err}`],
        )
        expect(failed).toEqual([])

        const rows = JSON.parse(ran.at(-1)?.out ?? '') as MapRow[]
        for (const line of all.filter(line => elsewhere.test(line) && line.startsWith('svc '))) {
          const row = rows.find(({ command }) => line.startsWith(command))
          const flags = [...(line.split(' -- ')[0]?.matchAll(/--[\w-]+/g) ?? [])].map(
            ([flag]) => flag,
          )
          const known = row?.options.join(' ') ?? ''
          expect([line, flags.filter(flag => !known.includes(flag))]).toEqual([line, []])
        }
      })
    }
  })
}
