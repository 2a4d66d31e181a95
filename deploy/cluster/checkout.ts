import { existsSync } from 'node:fs'
import path from 'node:path'

/** The checkout that contains a folder, if any. Files written to a checkout could be committed or
 *  end up in an image. */
export function checkoutOf(folder: string): string | undefined {
  if (existsSync(path.join(folder, '.git')) || existsSync(path.join(folder, '.dockerignore')))
    return folder
  const parent = path.dirname(folder)
  return parent === folder ? undefined : checkoutOf(parent)
}
