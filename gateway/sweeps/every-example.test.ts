// Every operation and every request example of the published document, sent to a running server by
// what the document says and judged by what it promises.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { operationIds, table } from '#contract/api.ts'
import { type Asked, filedCase, rivera } from '#clinical/testing/call.ts'
import { scenes } from '#clinical/testing/valid-calls.ts'
import { freeStarts } from '#clinical/testing/visits.ts'
import { type Door, send } from '../testing/example-calls.ts'
import { asDocumented, requestsOf } from '../testing/openapi-validator.ts'
import { openDoor } from '../testing/gateway.ts'

let door: Door
beforeAll(async () => {
  door = await openDoor()
})
afterAll(() => door.close())

/** The example with the ids of this world in the place of the story's, and with its free start. */
function placed(example: unknown, world: string, start: string): unknown {
  const known = Map.groupBy(
    [...new Set(world.match(/[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}/g))],
    one => one.split('_')[0] ?? '',
  )
  const taken = new Map<string, number>()
  const text = JSON.stringify(example).replaceAll(/[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}/g, found => {
    const [prefix = ''] = found.split('_')
    const ours = prefix === 'med' ? undefined : known.get(prefix)
    const at = taken.get(prefix) ?? 0
    taken.set(prefix, at + 1)
    return ours?.[at % ours.length] ?? found
  })
  const value = JSON.parse(text) as Record<string, unknown>
  return 'starts_at' in value ? { ...value, starts_at: start } : value
}

/** A start that the story's patient may have, or the one that the scene found for its own. */
async function startFor(scene: Asked): Promise<string> {
  const { starts_at } = (scene.id === undefined ? {} : (scene.body ?? {})) as { starts_at?: string }
  return starts_at ?? (await freeStarts(door.cast, rivera.address.state)).at(-1) ?? ''
}

describe('an operation answers as the document says', () => {
  for (const id of operationIds) {
    test(id, async () => {
      const scene = await scenes[id](door.cast, door.cast.ada.test)
      const answer = await send(door, id, scene)
      expect([id, answer.status]).toEqual([id, table[id].status])
      await asDocumented(id, answer)
    })
  }
})

describe('a request example of the document is one that is answered', () => {
  for (const id of operationIds) {
    for (const [name, example] of requestsOf(id)) {
      test(`${id}: ${name}`, async () => {
        const scene = await scenes[id](door.cast, door.cast.ada.test)
        const world = scene.id === undefined ? await filedCase(door.cast) : scene
        const start = await startFor(scene)
        const body = placed(example, JSON.stringify({ world, scene: scene.body }), start)
        const answer = await send(door, id, { ...scene, body })
        const said = answer.status >= 400 ? await answer.clone().json() : null
        expect([id, name, answer.status, said]).toEqual([id, name, table[id].status, null])
        await asDocumented(id, answer)
      })
    }
  }
})
