// Test files that take longest start first, so that the last one does not run alone for long.
import fs from 'node:fs'
import path from 'node:path'

/** In seconds on two processors; every other file takes less than four. */
const longest = {
  'deploy/publish/publish': 46,
  'clients/cli/cli': 35,
  'bench/bench': 23,
  'gateway/server/faults': 20,
  'site/builds': 20,
  'gateway/server/full-disk': 13,
  'clinical/sandbox/clock': 12,
  'deploy/preview/site': 11,
  'clinical/sweeps/fuzz': 10,
  'clinical/sweeps/every-request': 10,
  'clients/python/python': 10,
  'clinical/sweeps/model': 7,
  'clinical/sweeps/two-tenants': 7,
  'gateway/websocket/subscribers-tokens': 7,
  'gateway/edge/edge': 7,
  'clinical/sweeps/every-token': 6,
  'gateway/commands/backup': 5,
  'clinical/sweeps/every-operation': 5,
  'clinical/webhooks/delivery/faults': 5,
  'clinical/webhooks/delivery/fairness': 5,
  'portal/table': 5,
}

const othersMs = 1000

/** Writes how long each test file takes, as `bun test --timings` reads it; returns the file. */
export function writeDurations(root, file) {
  const seconds = name => longest[name.replace(/\.test\.ts$/, '')]
  const files = testFiles(root).map(name => [name, (seconds(name) ?? othersMs / 1000) * 1000])
  fs.writeFileSync(file, JSON.stringify({ version: 1, files: Object.fromEntries(files) }))
  return file
}

/** As bunfig.toml has it: the browser tests and what is generated are not among them. */
const ignored = /^(node_modules|dist.*|\..*|e2e)$/

function testFiles(root, folder = '') {
  const entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true })
  return entries.flatMap(entry => {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return ignored.test(entry.name) ? [] : testFiles(root, name)
    return entry.name.endsWith('.test.ts') ? [name] : []
  })
}
