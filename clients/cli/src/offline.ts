// Separate files that ship with the program, so startup doesn't load them: the guides and the
// contract's documents.

import { readFile } from 'node:fs/promises'
import { CommandError } from './errors.ts'

export type Guide = {
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly questions: readonly string[]
  readonly body: string
}

const folder = new URL('offline/', import.meta.url)

export const documentNamed = (name: string): Promise<string> =>
  readFile(new URL(name, folder), 'utf8').catch(() => {
    throw new CommandError('failed', `${name} is missing from the package`, 'Reinstall svc.')
  })

export const guides = async (): Promise<readonly Guide[]> =>
  JSON.parse(await documentNamed('guides.json')) as readonly Guide[]
