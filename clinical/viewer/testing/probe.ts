// Replaces process.ts: after the seal, it tries everything it must not be able to do, and reports
// what worked on standard error.

import { connect } from 'node:net'
import { readdirSync, readFileSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { seal } from '../seal.ts'

const port = Number(process.argv[3])
/** Named after this process, because another account's file couldn't be overwritten. */
const written = `/tmp/of-the-probe-${process.pid}`
if (process.argv[2] !== 'unsealed') seal()
readSync(0, new Uint8Array(1))

const connects = () =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
  })

const attempts: Record<string, () => unknown> = {
  'read a file': () => readFileSync('/etc/hostname'),
  'list a folder': () => readdirSync('/'),
  'write a file': () => {
    writeFileSync(written, 'x')
    rmSync(written)
  },
  'start a process': () => Bun.spawnSync(['/bin/true']).success || Promise.reject(new Error('no')),
  'end another process': () => process.kill(process.ppid, 0),
  'open a connection': async () => (await connects()) || Promise.reject(new Error('no')),
  'listen at a port': () => Bun.serve({ port: 0, fetch: () => new Response() }),
  'find a secret in its environment': () =>
    Object.keys(process.env).find(key => !/^(BUN_\w+|PWD|OLDPWD|SHLVL|_)$/.test(key)) ??
    Promise.reject(new Error('none')),
  compute: () => new Bun.CryptoHasher('sha256').update('x').digest('hex'),
}

const could: string[] = []
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt()
    could.push(name)
  } catch {
    // Refused, as expected.
  }
}
writeSync(2, could.join(', '))
process.exit(3)
