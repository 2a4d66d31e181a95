// `node deploy/run.mjs contract/releases/record.ts` prints the API's additions, deprecations and
// removals since its last release. `--write --today=YYYY-MM-DD` records these changes as a release;
// `--check` fails if any change isn't in a release.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { documents } from '../derive/documents.ts'
import type { Node } from '../derive/schemas.ts'
import { changesBetween, type Surface, surfaceOf } from './surface.ts'
import { lineOf, type Release, releases, surface as released } from './releases.ts'

const name = '../generated/releases.json'

export const currentSurface = (): Surface =>
  surfaceOf(
    ...(['openapi.v1.json', 'openapi.preview.json'] as const).map(
      name => JSON.parse(documents[name]()) as Node,
    ),
  )

const members = (of: object) =>
  Object.entries(of).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)

/** Writes one line per change, operation and schema, so the file's diff is readable. */
function textOf(newest: readonly Release[], { operations, schemas, events }: Surface): string {
  const listed = newest.map(({ date, changes }) => {
    const lines = changes.map(change => JSON.stringify(change)).join(',\n')
    return `{"date":"${date}","changes":[\n${lines}]}`
  })
  return `{"releases":[\n${listed.join(',\n')}],
"surface":{"operations":{\n${members(operations).join(',\n')}},
"schemas":{\n${members(schemas).join(',\n')}},
"events":${JSON.stringify(events)}}}\n`
}

if (import.meta.main) {
  const { values: flags } = parseArgs({
    options: {
      check: { type: 'boolean' },
      write: { type: 'boolean' },
      today: { type: 'string' },
    },
  })
  const surface = currentSurface()
  const changes = changesBetween(released, surface)
  const [newest] = releases
  console.log(changes.length > 0 ? 'Since the last release:' : `Release ${newest?.date}:`)
  for (const change of changes.length > 0 ? changes : (newest?.changes ?? [])) {
    console.log(lineOf(change))
  }
  const { check, write, today: date } = flags
  if (changes.length > 0 && write && date !== undefined) {
    const today = releases.find(one => one.date === date)?.changes ?? []
    const others = releases.filter(one => one.date !== date)
    const text = textOf([{ date, changes: [...changes, ...today] }, ...others], surface)
    writeFileSync(path.join(import.meta.dir, name), text)
    console.log(`contract/${name} has them under ${date}.`)
  } else if (changes.length > 0 && (check || write)) {
    console.error(
      'To record these: node deploy/run.mjs contract/releases/record.ts --write --today=$(date +%F)',
    )
    process.exit(1)
  }
}
