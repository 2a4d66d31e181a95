// The package as integrators install it. Tests import it instead of the sources.

import path from 'node:path'
import { packTypescript } from '../../pack.ts'
import { installOnce } from '../../testing/install.ts'
import type * as Sdk from '../src/sdk.ts'
import type * as Testing from '../src/testing.ts'
import type * as Webhooks from '../src/webhooks.ts'

/** A folder with the installed package, and the tarball. */
export const installedPackage = () => installOnce('typescript', [], packTypescript)

const fileOf = async (name: string) => {
  const { folder } = await installedPackage()
  return path.join(folder, 'node_modules/@svc/sdk/esm', `${name}.js`)
}

export const sdk = (await import(await fileOf('index'))) as typeof Sdk
export const webhooks = (await import(await fileOf('webhooks'))) as typeof Webhooks
export const testing = (await import(await fileOf('testing'))) as typeof Testing
