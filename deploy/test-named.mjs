// `npm test -- <name> …`: one program of `e2e/` that asks a running server, or the tests of
// folders.
import { spawnSync } from 'node:child_process'
import { root } from './install.mjs'

const programs = {
  scenarios: 'e2e/scenario.ts',
  readiness: 'e2e/readiness.ts',
  lighthouse: 'e2e/lighthouse.ts',
}

export const help = `Usage:
  npm test
  npm test -- <folder or file>…
  npm test -- scenarios [<name>… --url=https://… --KEY=…]
  npm test -- readiness [--url http://localhost:3000]
  npm test -- lighthouse [--steady] [--url http://localhost:3000]

Runs everything that CI runs, or only the tests of these folders; their database starts by itself.
scenarios walks a server as integrators do, and lists the walks without a name. readiness asks a
site what agents and crawlers ask. lighthouse measures four pages on a phone.`

/** Runs what the words name; the exit code. */
export function runNamed(bun, [name, ...words]) {
  const command = Object.hasOwn(programs, name)
    ? [programs[name]]
    : ['test', '--timeout=60000', name]
  return spawnSync(bun, [...command, ...words], { cwd: root, stdio: 'inherit' }).status ?? 1
}
