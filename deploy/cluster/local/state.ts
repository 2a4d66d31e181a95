// Where the cluster of this machine keeps its files, and what the commands know of each other.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A checkout whose program runs. */
export type Release = string

const root = path.join(import.meta.dir, '../../..')
/** In memory: two processors and one disk carry fourteen machines. */
export const defaultFolder = '/dev/shm/telehealth-cluster'

export function openState(folder = defaultFolder) {
  const at = (...parts: string[]) => path.join(folder, ...parts)
  const chosen = at('release')
  return {
    folder,
    /** Names another checkout, if `up` was given one. */
    chosen,
    release: existsSync(chosen) ? readFileSync(chosen, 'utf8') : root,
    backup: at('backup'),
    authority: at('authority'),
    secrets: at('secrets.json'),
    /** What clients need: the key, the address of the front and its authority. */
    access: at('access.json'),
    values: at('values.json'),
    socket: at('supervisor.sock'),
    log: (name: string) => at('log', `${name}.log`),
    folders: (node: string) => ({
      config: at('nodes', node, 'config'),
      data: at('nodes', node, 'data'),
      hosts: at('nodes', node, 'hosts'),
    }),
  }
}

export type State = ReturnType<typeof openState>
