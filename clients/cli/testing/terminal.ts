// What the program shows on a terminal of a given width, by the pseudo-terminal of Python.

import path from 'node:path'
import type { Shell } from './shell.ts'

const script = `
import fcntl, os, pty, struct, sys, termios
columns, *words = sys.argv[1:]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 40, int(columns), 0, 0))
    os.execvp(words[0], words)
out = b''
while True:
    try:
        part = os.read(fd, 65536)
    except OSError:
        break
    if not part:
        break
    out += part
os.waitpid(pid, 0)
sys.stdout.buffer.write(out.replace(b'\\r\\n', b'\\n'))
`

export const python = Bun.which('python3')

/** What each command line shows, one after the other in one process. */
export async function onTerminal(
  { env, home, node, installed }: Shell,
  columns: number,
  lines: readonly (readonly string[])[],
  more: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const many = path.join(import.meta.dir, 'many.mjs')
  const typed = [node, many, installed.folder, JSON.stringify(lines)]
  const child = Bun.spawn([python ?? '', '-c', script, String(columns), ...typed], {
    cwd: home,
    env: { ...env, TERM: 'xterm', ...more },
    stdin: 'ignore',
    stdout: 'pipe',
  })
  return (await new Response(child.stdout).text()).split('\u001e').slice(1)
}
