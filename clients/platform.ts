// Packs the whole platform into one file, for `svc dev` without a checkout: the sources, their
// packages and the built site, so it starts offline. The file works only on systems like the one
// that packed it.

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import config from '#content/site.config.ts'

const root = path.dirname(import.meta.dir)

/** Files that aren't needed to start. */
const leftOut = [
  /(\.test|\.suite|\.spec)\.tsx?$/,
  /(^|\/)(testing|__snapshots__)\//,
  /^(e2e|bench|mutate|sweeps|tidy|docs|\.ci|\.github)\/|^deploy\/test/,
]
const isLeftOut = (file: string) => leftOut.some(pattern => pattern.test(file))

/** `level` is the gzip level, 1 to 9. Level 1 takes a quarter of the default level's time. */
export async function packPlatform(to: string, level = 6): Promise<string> {
  const stage = mkdtempSync(path.join(tmpdir(), 'platform-'))
  try {
    const files = run(['git', 'ls-files', '-z'], root).split('\0')
    for (const file of files) {
      if (file !== '' && !isLeftOut(file)) cpSync(path.join(root, file), path.join(stage, file))
    }
    const bun = process.execPath
    run([bun, 'install', '--production', '--omit=peer', '--frozen-lockfile'], stage)
    run([bun, '-e', `(await import('./deploy/install.mjs')).markInstalled()`], stage)
    // Copies an existing build, which the next command skips if it matches the sources.
    const built = path.join(root, 'site/dist')
    if (existsSync(built)) cpSync(built, path.join(stage, 'site/dist'), { recursive: true })
    run([bun, '--bun', 'site/build/build.ts'], stage)
    rmSync(path.join(stage, '.data'), { recursive: true, force: true })
    const { version } = JSON.parse(readFileSync(path.join(stage, 'package.json'), 'utf8'))
    mkdirSync(to, { recursive: true })
    const name = `${config.slug}-platform-${version}-${process.platform}-${process.arch}.tgz`
    archive(stage, path.resolve(to, name), level)
    return path.join(to, name)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

/** Packs a folder so that, even when root unpacks it, every account on the machine can read it. */
export function archive(folder: string, file: string, level = 6): void {
  run(['chmod', '-R', 'u+rwX,go+rX', folder], folder)
  run(['tar', `--use-compress-program=gzip -${level}`, '-cf', file, '-C', folder, '.'], folder)
}

function run(command: string[], cwd: string): string {
  const done = Bun.spawnSync(command, { cwd, stderr: 'pipe' })
  if (done.exitCode !== 0) throw new Error(`${command.join(' ')}\n${done.stdout}${done.stderr}`)
  return done.stdout.toString()
}
