/** Of what the rules of tidy.test.ts let pass, and what they do not. */
export const samples: [file: string, text: string, allowed: boolean][] = [
  ['clinical/cases/a.test.ts', "import { x } from '#gateway/server/app.ts'", false],
  ['clinical/cases/a.test.ts', "import { x } from '#auth/principal.ts'", true],
  ['clinical/cases/a.test.ts', "import { x } from '#gateway/testing/processes.ts'", true],
  ['clinical/cases/a.config.ts', "import { x } from '#database/testing/database.ts'", false],
  ['clinical/cases/a.config.ts', '// Rings the doorbell of the house.', false],
  ['clinical/cases/a.config.ts', 'const openHouse = 1', false],
  ['clinical/cases/a.config.ts', 'const households = 1 // planet', true],
  ['gateway/lane.test.ts', '', false],
  ['clinical/cases/a.config.ts', '// As in contract/12, section 4.', false],
  ['clinical/cases/a.test.ts', "import type {\n  X,\n} from '../../database/sql.ts'", false],
  ['contract/ids.test.ts', "import { x } from '#contract/limits.ts'", false],
  ['database/utils/a.test.ts', '', false],
  ['auth/index.ts', 'export {}\nif (import.meta.main) main()', false],
  ['auth/keys.config.ts', 'const x = process.env.PORT', false],
  ['auth/keys.config.ts', 'const x = Date.now()', false],
  ['auth/keys.config.ts', 'try { x() } catch (error) { log(error) }', false],
  ['clinical/case.config.ts', "await fetch('https://example.com')", false],
  ['clinical/case.config.ts', "headers.get('Cookie')", false],
  ['clinical/case.config.ts', "if (mode === 'live') return", false],
  ['gateway/a.test.ts', "test.only('x', () => {})", false],
  ['gateway/a.test.ts', '  expect(work()).rejects.toThrow()', false],
  ['gateway/a.test.ts', '  await expect(work()).rejects.toThrow()', true],
  ['gateway/a.test.ts', 'x\n'.repeat(301), false],
  ['docs/a.md', '# One\n\n```sh\n# not a heading\n```\n', true],
  ['docs/a.md', '# One\n# Two\n', false],
  ['docs/a.md', '# One\n\n`npm run nothing`\n', false],
  ['docs/a.md', '# One\n\n`bun test auth`\n', false],
  ['docs/a.md', `# One\n${'<'.repeat(7)} HEAD\n`, false],
  ['docs/decisions/0999-a.md', '# A decision', false],
  ['a.sql', 'delete from a where b in (select b from a limit 9 for update skip locked);', false],
  ['a.sql', 'delete from a where b = (select b from a limit 1 for update skip locked);', true],
]

/** Imports by file, and the circles in them. */
export const circleSamples: [imports: Record<string, string[]>, circles: string[][]][] = [
  [{ a: ['b', 'c'], b: ['c'], c: ['elsewhere'] }, []],
  [{ a: ['b'], b: ['a'] }, [['a', 'b']]],
  [{ a: ['b'], b: ['c'], c: ['d', 'b'], d: ['e'], e: ['c'] }, [['b', 'c', 'd', 'e']]],
  [
    { a: ['b', 'c'], b: ['a'], c: ['d'], d: ['c'], e: ['a', 'c'] },
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [{ a: ['a'] }, [['a']]],
]
