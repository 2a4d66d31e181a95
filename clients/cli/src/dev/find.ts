// Finds the platform for `svc dev`: the folder or file that the user names, a checkout that
// contains the working folder, or a platform unpacked earlier.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { environment, home, platform } from '../environment.ts'
import { CommandError, usage } from '../errors.ts'
import { dataFolder } from '../settings/paths.ts'

export const startFile = path.join('deploy', 'start.mjs')

export type FoundPlatform = {
  readonly folder: string
  /** The default data folder; a flag can override it. */
  readonly data: string
}

function isPlatform(folder: string): boolean {
  const manifest = path.join(folder, 'package.json')
  if (!existsSync(manifest) || !existsSync(path.join(folder, startFile))) return false
  return /"name": "telehealth"/.test(readFileSync(manifest, 'utf8'))
}

const checkout = (folder: string): FoundPlatform => ({ folder, data: path.join(folder, '.data') })

/**
 * The unpacked platform. Its data is in a separate folder, so an update doesn't delete the data.
 */
function unpacked(): FoundPlatform {
  const base = dataFolder({ environment, home, platform })
  return { folder: path.join(base, 'platform'), data: path.join(base, 'dev') }
}

/** `named` is a checkout, or a file that `npm run pack -- platform` created. */
export async function findPlatform(
  named: string | undefined,
  from: string,
  say: (line: string) => void,
): Promise<FoundPlatform> {
  const given = named ?? environment['SVC_PLATFORM']
  if (given !== undefined) {
    if (isPlatform(given)) return checkout(path.resolve(given))
    if (existsSync(given) && statSync(given).isFile()) return unpack(path.resolve(given), say)
    throw usage(`${given} isn't a platform checkout or a packed platform`)
  }
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    if (isPlatform(folder)) return checkout(folder)
    if (folder === path.dirname(folder)) break
  }
  const kept = unpacked()
  if (isPlatform(kept.folder)) return kept
  throw usage(
    'no platform found',
    'Run this in a checkout, or name a packed platform once: svc dev --platform FILE',
  )
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(file)) hash.update(part as Uint8Array)
  return hash.digest('hex')
}

/** Unpacks each file once. An interrupted attempt keeps the previous version. */
async function unpack(file: string, say: (line: string) => void): Promise<FoundPlatform> {
  const found = unpacked()
  const stamp = path.join(found.folder, '.unpacked')
  const hash = await hashOf(file)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return found
  say(`Unpacking ${file}.`)
  mkdirSync(path.dirname(found.folder), { recursive: true })
  const fresh = mkdtempSync(`${found.folder}-`)
  try {
    await untar(file, fresh)
    if (!isPlatform(fresh)) throw usage(`${file} isn't a packed platform`)
    writeFileSync(path.join(fresh, '.unpacked'), hash)
    rmSync(found.folder, { recursive: true, force: true })
    renameSync(fresh, found.folder)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return found
}

/** Uses the `tar` that Linux, macOS and Windows include. */
function untar(file: string, into: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('tar', ['-xzf', file, '-C', into], { stdio: 'ignore' })
    child.once('error', () => reject(new CommandError('failed', 'tar is not installed')))
    child.once('exit', code => {
      if (code === 0) resolve()
      else
        reject(
          usage(
            `couldn't unpack ${file}`,
            'Check that the file is complete and the disk has space.',
          ),
        )
    })
  })
}
