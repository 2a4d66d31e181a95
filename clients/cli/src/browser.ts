// Opens a URL in the user's browser. Without a browser, the printed URL is enough.

import { spawn } from 'node:child_process'
import { platform } from './environment.ts'

const commands: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  // Doesn't use cmd.exe, which treats & as a command separator.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Returns whether a program was started to open the URL. */
export function openInBrowser(url: string): Promise<boolean> {
  if (!/^https?:\/\//.test(url)) return Promise.resolve(false)
  const [program = 'xdg-open', ...rest] = commands[platform] ?? ['xdg-open']
  return new Promise(resolve => {
    const child = spawn(program, [...rest, url], { stdio: 'ignore', detached: true })
    child.on('error', () => resolve(false))
    child.on('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
