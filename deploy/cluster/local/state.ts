// The paths of the files of this machine's cluster, which the cluster's commands share.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A checkout to run the program from. */
export type Release = string

const root = path.join(import.meta.dir, '../../..')
/** In memory, because one disk would be too slow for fourteen machines. */
export const defaultFolder = '/dev/shm/telehealth-cluster'

export function openState(folder = defaultFolder) {
  const at = (...parts: string[]) => path.join(folder, ...parts)
  const chosen = at('release')
  return {
    folder,
    /** Contains the path of another checkout, if `up` was started with another checkout. */
    chosen,
    release: existsSync(chosen) ? readFileSync(chosen, 'utf8') : root,
    backup: at('backup'),
    authority: at('authority'),
    secrets: at('secrets.json'),
    /** Contains the key, the front proxy's address and its certificate authority, for clients. */
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
