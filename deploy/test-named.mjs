// `npm test -- <name> …`: one of the `e2e/` programs that check a running server, one browser test
// file, or the tests in folders.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { root } from './install.mjs'

const programs = {
  scenarios: 'e2e/scenario.ts',
  readiness: 'e2e/readiness.ts',
  lighthouse: 'e2e/lighthouse.ts',
}

/** One file starts the server for its folder, and waits for no other file. */
const browserTests = [
  path.join(root, 'node_modules', '@playwright', 'test', 'cli.js'),
  'test',
  '--config=e2e/playwright.config.ts',
  '--no-deps',
]

export const help = `Usage:
  npm test
  npm test -- <folder or file>…
  npm test -- scenarios [<name>… --url=https://… --KEY=…]
  npm test -- readiness [--url http://localhost:3000]
  npm test -- lighthouse [--steady] [--url http://localhost:3000]

Runs everything that CI runs, or only the tests of these folders; their database starts by itself.
A file of browser tests, as e2e/deciding, starts a server of its own.
scenarios walks a server as integrators do, and lists the walks without a name. readiness asks a
site what agents and crawlers ask. lighthouse measures four pages on a phone.`

/** Runs what the words name; returns the exit code. */
export function runNamed(bun, [name, ...words]) {
  // Tests of the clients' sources also read generated files, which aren't committed.
  if (name.startsWith('clients')) spawnSync(bun, ['clients/generate/generate.ts'], { cwd: root })
  const spec = `${name.replace(/\.spec\.ts$/, '')}.spec.ts`
  const isBrowserTest = fs.existsSync(path.join(root, spec))
  const [program, command] = Object.hasOwn(programs, name)
    ? [bun, [programs[name]]]
    : isBrowserTest
      ? [process.execPath, [...browserTests, spec]]
      : [bun, ['test', '--timeout=60000', name]]
  return spawnSync(program, [...command, ...words], { cwd: root, stdio: 'inherit' }).status ?? 1
}
