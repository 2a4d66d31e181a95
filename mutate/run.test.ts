// A small checkout with one fault that its tests catch, one fault that the tests miss, and one
// fault that hangs.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defaultBase, git } from './files.ts'
import { reportOf } from './report.ts'
import { type Options, planOf } from './plan.ts'
import { run } from './run.ts'

const source = `export const isAdult = (age: number) => age >= 18
export const isChild = (age: number) => age < 18
`
const tests = `import { expect, test } from 'bun:test'
import { isAdult } from './age.ts'
test('18 is adult', () => expect([isAdult(17), isAdult(18)]).toEqual([false, true]))
`

// Each fault starts processes, which is slow on a busy machine.
setDefaultTimeout(60_000)

let root = ''
let options: Options
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'mutate-'))
  await Bun.write(path.join(root, 'a', 'age.ts'), source)
  await Bun.write(path.join(root, 'a', 'age.test.ts'), tests)
  await writeFile(path.join(root, '.gitignore'), '.data\nnode_modules\n')
  await writeFile(path.join(root, 'package.json'), '{"type": "module"}')
  await git(root, 'init', '-q')
  await git(root, 'add', '-A')
  await git(
    root,
    '-c',
    'user.name=A',
    '-c',
    'user.email=a@example.com',
    'commit',
    '-qm',
    'a: start',
  )
  options = {
    root,
    chosen: ['a'],
    seed: '1',
    count: 9,
    minutes: 5,
    tests: 9,
    workers: 2,
    graceSeconds: 20,
  }
})
afterAll(() => rm(root, { recursive: true }))

async function tried(changed: Partial<Options> = {}) {
  const plan = await planOf({ ...options, ...changed })
  let known = 0
  const report = await run({ ...options, ...changed }, plan, (_outcome, _fault, isKnown) => {
    if (isKnown) known++
  })
  const survived = report.outcomes
    .filter(one => !one.noticed)
    .map(one => one.line)
    .sort()
  return { survived, known, text: reportOf(report, plan), tried: report.outcomes.length }
}

test('run: lists the fault that no test caught, and leaves the checkout unchanged', async () => {
  const first = await tried()
  expect(first).toMatchObject({ survived: [2, 2], known: 0, tried: 4 })
  expect(first.text).toContain('a/age.ts:2 comparison: "<" → "<=" (1 of 1 test files ran)')
  expect(first.text).toContain('2 of 4 (50 %) faults noticed; 0 of 4 not tried')
  expect(await readFile(path.join(root, 'a', 'age.ts'), 'utf8')).toBe(source)
})

test('run: a second run resumes, and retries survivors once a test changes', async () => {
  expect(await tried()).toMatchObject({ survived: [2, 2], known: 4 })
  const more = `import { isChild } from './age.ts'
${tests}test('18 isn’t a child', () => expect([isChild(17), isChild(18), isChild(18.5)]).toEqual([true, false, false]))
`
  await writeFile(path.join(root, 'a', 'age.test.ts'), more)
  expect(await tried()).toMatchObject({ survived: [], known: 2, tried: 4 })
})

test('run: a fault that no chosen test catches is tried with all nearby tests', async () => {
  await writeFile(path.join(root, 'a', 'size.ts'), 'export const isBig = (n: number) => n > 9\n')
  const start = "import { expect, test } from 'bun:test'\nimport { isBig } from './size.ts'\n"
  const expectations = ['isBig(5)).toBe(false', 'isBig(50)).toBe(true', 'isBig(9)).toBe(false']
  for (const [at, one] of [...expectations, 'isBig(10)).toBe(true'].entries()) {
    const text = `${start}test('size', () => expect(${one}))\n`
    await writeFile(path.join(root, 'a', `size-${at}.test.ts`), text)
  }
  const chosen = ['a/size.ts']
  const plan = await planOf({ ...options, chosen })
  const { outcomes } = await run({ ...options, tests: 1 }, plan, () => {})
  const found = outcomes.filter(({ kind }) => kind === 'comparison')
  expect(found.map(({ noticed, by }) => [noticed, by])).toEqual([[true, 'a/size-2.test.ts']])
})

test('run: a fault that hangs is caught by its duration', async () => {
  const loop =
    'export function count(): number {\n  let n = 1\n  while (n !== 3) n += 2\n  return n\n}\n'
  await writeFile(path.join(root, 'a', 'loop.ts'), loop)
  const counting =
    "import { count } from './loop.ts'\nif (count() !== 3) throw new Error('count')\n"
  await writeFile(path.join(root, 'a', 'loop.test.ts'), counting)
  const chosen = ['a/loop.ts']
  const plan = await planOf({ ...options, chosen })
  const { outcomes } = await run({ ...options, graceSeconds: 0.2 }, plan, () => {})
  expect(outcomes.map(({ noticed, line }) => [noticed, line])).toContainEqual([true, 2])
  expect(outcomes.find(({ line }) => line === 2)?.by).toBe('time')
})

test('run: a fault that the types reject is caught by the type check', async () => {
  // This checkout's packages include the type checker.
  const modules = path.join(import.meta.dir, '..', 'node_modules')
  await symlink(modules, path.join(root, 'node_modules'))
  await writeFile(path.join(root, 'tsconfig.json'), '{"include": ["a/typed.ts"]}')
  await writeFile(path.join(root, 'a', 'typed.ts'), 'export const size: 3 = 3\n')
  const chosen = ['a/typed.ts']
  const { outcomes } = await run(options, await planOf({ ...options, chosen }), () => {})
  expect(outcomes.map(({ by, ran, reach }) => ({ by, ran, reach }))).toEqual([
    { by: 'types', ran: 0, reach: 0 },
  ])
  await rm(path.join(root, 'tsconfig.json'))
})

test('run: a fault on a line that no test executes survives', async () => {
  const parts = 'export const used = (n: number) => n > 1\nexport const unused = () =>\n  3 > 2\n'
  await writeFile(path.join(root, 'a', 'parts.ts'), parts)
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    const uses = `import { used } from './parts.ts'\nimport { expect, test } from 'bun:test'
test('used', () => expect([used(1), used(2)]).toEqual([false, true]))\n`
    await writeFile(path.join(root, 'a', `${name}.test.ts`), uses)
  }
  const { text, survived } = await tried({ chosen: ['a/parts.ts'] })
  expect(survived).toEqual([3, 3, 3])
  expect(text).toContain('a/parts.ts:3 comparison: ">" → ">=" (5 of 5 test files ran)')
})

test('run: a test that fails without a fault is left out and reported', async () => {
  await writeFile(
    path.join(root, 'a', 'age.test.ts'),
    `${tests}test('x', () => expect(1).toBe(2))\n`,
  )
  await writeFile(path.join(root, 'a', 'age.ts'), source.replaceAll('18', '19'))
  const { survived, text } = await tried({ chosen: ['a/age.ts'] })
  expect(survived).toEqual([1, 1, 2, 2])
  expect(text).toContain('Left out, because they fail without a fault:\n  a/age.test.ts')
})

test('run: with a base, only changed lines get faults, and a seed decides which are first', async () => {
  await writeFile(path.join(root, 'a', 'age.ts'), source)
  expect(await planOf({ ...options, base: 'HEAD', chosen: ['a/age.ts'] })).toEqual([])
  await writeFile(path.join(root, 'a', 'age.ts'), source.replace('age < 18', 'age < 17'))
  const lines = await planOf({ ...options, base: 'HEAD', chosen: ['a/age.ts'] })
  expect(lines.map(({ fault }) => fault.line)).toEqual([2, 2])
  const orders = await Promise.all(
    ['1', '2', '3', '4', '5'].map(async seed => {
      const plan = await planOf({ ...options, seed, chosen: ['a/age.ts'] })
      return plan.map(({ fault }) => fault.start).join(' ')
    }),
  )
  expect(new Set(orders).size).toBeGreaterThan(1)
})

test('run: faults have the same order, whichever folders are chosen', async () => {
  const files = ['b/one.ts', 'b/two.ts']
  for (const file of files) await Bun.write(path.join(root, file), source)
  const ids = async (chosen: string[]) =>
    (await planOf({ ...options, chosen })).map(({ fault }) => fault.id)
  expect(await ids(files)).toEqual(await ids(files.toReversed()))
  expect(await ids(files)).toHaveLength(8)
})

test('run: a change is compared with the main branch, or else with the previous commit', async () => {
  const commit = (subject: string) =>
    git(root, '-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qam', subject)
  const [first = ''] = (await git(root, 'rev-list', 'HEAD')).split('\n')
  expect(await defaultBase(root)).toBeUndefined()
  await commit('a: second')
  expect(await defaultBase(root)).toBe(first)
  const [second = ''] = (await git(root, 'rev-list', 'HEAD')).split('\n')
  await git(root, 'update-ref', 'refs/remotes/origin/main', second)
  await writeFile(path.join(root, 'a', 'age.ts'), source)
  await commit('a: third')
  await writeFile(path.join(root, 'a', 'age.ts'), source.replace('18', '20'))
  await commit('a: fourth')
  expect(await defaultBase(root)).toBe(second)
})
