// The program's output on a terminal of a given width, through Python's pseudo-terminal.

import path from 'node:path'
import type { Shell } from './shell.ts'

const script = `
import fcntl, os, pty, struct, sys, termios
columns, typed, *words = sys.argv[1:]
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
    # A question stays open until it is answered.
    if typed and (b'Type ' in out or b'Continue?' in out):
        os.write(fd, typed.encode())
        typed = ''
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(out.replace(b'\\r\\n', b'\\n'))
sys.exit(os.waitstatus_to_exitcode(status))
`

export const python = Bun.which('python3')

/** Runs command lines in one process, and returns what the terminal shows for each. */
export async function onTerminal(
  { env, home, node, installed }: Shell,
  columns: number,
  lines: readonly (readonly string[])[],
  more: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const many = path.join(import.meta.dir, 'many.mjs')
  const typed = [node, many, installed.folder, JSON.stringify(lines)]
  const child = Bun.spawn([python ?? '', '-c', script, String(columns), '', ...typed], {
    cwd: home,
    env: { ...env, TERM: 'xterm', ...more },
    stdin: 'ignore',
    stdout: 'pipe',
  })
  return (await new Response(child.stdout).text()).split('\u001e').slice(1)
}

/** Types a reply to a command's prompt, and returns how the command ends. */
export async function answeredOnTerminal(
  { env, home, node, installed }: Shell,
  words: readonly string[],
  typed: string,
  more: Readonly<Record<string, string>>,
): Promise<{ code: number; text: string }> {
  const line = [node, installed.program, ...words]
  const child = Bun.spawn([python ?? '', '-c', script, '80', typed, ...line], {
    cwd: home,
    env: { ...env, TERM: 'xterm', ...more },
    stdin: 'ignore',
    stdout: 'pipe',
  })
  const text = await new Response(child.stdout).text()
  return { text, code: await child.exited }
}
