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

const playwright = path.join(root, 'node_modules', '@playwright', 'test', 'cli.js')
const browserTests = [playwright, 'test', '--config=e2e/playwright.config.ts']

/** Node's arguments that run the browser tests of a Playwright project, and of those that it
 *  depends on. */
export const browserTestsOf = project => [...browserTests, `--project=${project}`]

export const help = `Usage:
  npm test
  npm test -- nightly
  npm test -- <folder or file>…
  npm test -- scenarios [<name>… --url=https://… --KEY=…]
  npm test -- readiness [--url http://localhost:3000]
  npm test -- lighthouse [--steady] [--url http://localhost:3000]

Runs everything CI runs except the slow tests in deploy/nightly-tests.json, or only the tests in
these folders; their database starts automatically. A browser test file, such as e2e/deciding,
starts its own server. nightly runs the slow tests.
scenarios uses a server as integrators do; without a name, it lists the scenarios. readiness scans a
site as agents and crawlers do. lighthouse measures four pages on a simulated phone.`

/** Runs the named tests or program; returns the exit code. */
export function runNamed(bun, [name, ...words]) {
  // Tests of the clients' sources also read generated files, which aren't committed.
  if (name.startsWith('clients')) spawnSync(bun, ['clients/generate/generate.ts'], { cwd: root })
  const spec = `${name.replace(/\.spec\.ts$/, '')}.spec.ts`
  const isBrowserTest = fs.existsSync(path.join(root, spec))
  const [program, command] = Object.hasOwn(programs, name)
    ? [bun, [programs[name]]]
    : isBrowserTest
      ? // One file starts the server for its folder, and waits for no other file.
        [process.execPath, [...browserTests, '--no-deps', spec]]
      : [bun, ['test', '--timeout=60000', name]]
  return spawnSync(program, [...command, ...words], { cwd: root, stdio: 'inherit' }).status ?? 1
}
