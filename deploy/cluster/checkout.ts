import { existsSync } from 'node:fs'
import path from 'node:path'

/** The checkout around a folder: what is written there could be committed, or enter an image. */
export function checkoutOf(folder: string): string | undefined {
  if (existsSync(path.join(folder, '.git')) || existsSync(path.join(folder, '.dockerignore')))
    return folder
  const parent = path.dirname(folder)
  return parent === folder ? undefined : checkoutOf(parent)
}
