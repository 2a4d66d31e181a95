// The package as users install it. Tests run it instead of the sources.

import path from 'node:path'
import { installOnce } from '../../testing/install.ts'
import { packCli } from '../pack.ts'

const sources = [
  'clients/cli/{src,scenarios}/**/*',
  'clients/cli/*.{ts,json,md}',
  'content/docs/*.md',
]

export type Installed = {
  /** The program that npm linked. */
  readonly program: string
  /** The package's folder. */
  readonly folder: string
  readonly tarball: string
}

export async function installedCli(): Promise<Installed> {
  const { folder, tarball } = await installOnce('cli', sources, packCli)
  return {
    program: path.join(folder, 'node_modules/.bin/svc'),
    folder: path.join(folder, 'node_modules/svc-cli'),
    tarball,
  }
}
