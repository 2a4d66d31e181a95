import { expect, test } from 'bun:test'
import { linesOf, within } from './files.ts'
import { importersOf, testsOf } from './reach.ts'

const source = (path: string, text = '') => ({ path, text })

test('tests: importers of a file are found, even through other files and processes', () => {
  const importers = importersOf([
    source('a/one.ts'),
    source('a/two.ts', "import { one } from './one.ts'"),
    source('a/two.test.ts', "import { two } from './two.ts'"),
    source('b/near.test.ts', "import { one } from '#a/one.ts'"),
    source('b/start.ts', "import { two } from '#a/two.ts'"),
    source('b/process.test.ts', "Bun.spawn(['bun', path.join(root, 'b', 'start.ts')])"),
    source('c/page.test.tsx', "import { one } from '#a/one.ts'"),
    source('rules.test.ts', "import { two } from './a/two.ts'"),
    source('bench/bench.test.ts', "import { two } from '#a/two.ts'"),
    source('b/other.test.ts', "import { other } from './other.ts'"),
  ])
  expect(testsOf('a/one.ts', importers)).toEqual([
    'a/two.test.ts',
    'b/near.test.ts',
    'c/page.test.tsx',
    'b/process.test.ts',
  ])
})

test('files: tests, test support and generated files get no faults', () => {
  const files = [
    'a/x.ts',
    'a/x.test.ts',
    'a/testing/y.ts',
    'a/generated/z.ts',
    'ab/x.ts',
    'deploy/x.ts',
  ]
  expect(within(files, ['a/'])).toEqual(['a/x.ts'])
  expect(within(files, [])).toEqual(['a/x.ts', 'ab/x.ts'])
})

test('changes: include the lines that a diff adds or changes, but not removed lines', () => {
  const diff = [
    '+++ b/a/x.ts',
    '@@ -3 +3,2 @@ function f() {',
    '@@ -9,2 +10,0 @@',
    '+++ b/b/y.ts',
    '@@ -0,0 +7 @@',
  ].join('\n')
  expect(linesOf(diff)).toEqual(
    new Map([
      ['a/x.ts', [[3, 4]]],
      ['b/y.ts', [[7, 7]]],
    ]),
  )
})
