// Runs a guide as a reader would: every request runs, and its response matches the printed one.
import { spawnSync } from 'node:child_process'
import { expect, test } from '@playwright/test'
import { parse } from 'yaml'
import { differences, type Guide, type GuideIds, openPlace, scenario, secretsIn } from './run.ts'
import { newcomer, server, type Shell } from '../servers.ts'

type Head = { operations?: string[]; errors?: string[] }
type Contract = { paths: Record<string, Record<string, { operationId?: string }>> }

const has = (program: string) => {
  const who = newcomer()
  const account = who === undefined ? {} : { uid: who.uid, gid: who.gid }
  return spawnSync(program, ['--version'], { cwd: '/', ...account }).status === 0
}

/** A request's operation, as named in the running server's contract. */
function operationOf({ paths }: Contract, method: string, url: string): string | undefined {
  const asked = new URL(url).pathname
  const found = Object.keys(paths).find(each =>
    new RegExp(`^${each.replace(/\{\w+\}/g, '[^/]+')}$`).test(asked),
  )
  return found === undefined ? undefined : paths[found]?.[method.toLowerCase()]?.operationId
}

/** `own` is this process's environment. */
export function testGuide(guide: Guide, own: Shell): void {
  test(`guide ${guide.slug}: its requests run and return what is shown`, async () => {
    const needed = ['curl', ...(guide.body.includes('python3 ') ? ['python3'] : [])]
    const missing = needed.filter(program => !has(program))
    const skipped = missing.length > 0 && own['CI'] !== 'true'
    if (skipped)
      process.stdout.write(`skipped ${guide.slug}: not installed: ${missing.join(', ')}\n`)
    // A shell, curl, Python and a sandbox with real delays are slow on a busy machine.
    test.setTimeout(180_000)
    test.info().skip(skipped, `not installed: ${missing.join(', ')}`)

    const place = openPlace(guide)
    const done = await scenario(guide, place, own)
    const known: GuideIds = new Map()
    const wrong = done.flatMap(each =>
      differences(each, known).map(
        difference => `content/docs/${guide.slug}.md:${each.step.line} ${difference}`,
      ),
    )
    expect(wrong).toEqual([])
    expect(secretsIn(place), 'no secret stays in the working tree').toEqual([])

    const { url } = server()
    const contract: Contract = await (await fetch(`${url}/openapi/v1.json`)).json()
    const called = done.flatMap(({ requests }) =>
      requests.map(({ method, url }) => operationOf(contract, method, url)),
    )
    const { operations = [], errors = [] }: Head = parse(guide.head)
    expect(called, 'every operation it names is asked for').toEqual(
      expect.arrayContaining(operations),
    )
    for (const code of errors) {
      expect(guide.body, 'every error it names is explained').toContain(code)
      expect((await fetch(`${url}/problems/${code}`)).status).toBe(200)
    }
  })
}
