// nginx as a peer: one worker, the same files and headers, an access log, and its recommended
// settings.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { freePort } from '#database/embedded/postmaster.ts'
import { findProgram } from '../harness/machine.ts'
import { type Server, startServer } from '../harness/server.ts'

export const nginx = findProgram('nginx')

/** A file at its own path, with the headers that our gateway sent for it. */
export type ServedFile = { at: string; file: string; headers: readonly [string, string][] }

/** nginx generates these headers from the file and the connection. */
const generated = new Set([
  'content-length',
  'content-type',
  'date',
  'etag',
  'server',
  'connection',
])

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

function location({ at, file, headers }: ServedFile): string {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? 'text/plain'
  const added = headers
    .filter(([name]) => !generated.has(name))
    .map(([name, value]) => `add_header ${name} ${quoted(value)} always;`)
  return `location = ${at} { types {} default_type ${quoted(type)}; alias ${file}; ${added.join(' ')} }`
}

export async function startNginx(
  program: string,
  folder: string,
  files: readonly ServedFile[],
): Promise<Server> {
  const port = await freePort()
  const temporary = path.join(folder, 'temporary')
  await mkdir(temporary, { recursive: true })
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const config = `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid;
    error_log stderr error;
    events { worker_connections 1024; }
    http {
      access_log ${folder}/access.log combined buffer=64k flush=1s;
      sendfile on; tcp_nopush on; keepalive_requests 100000000; keepalive_timeout 60s;
      open_file_cache max=100; open_file_cache_valid 60s;
      ${paths.map(name => `${name}_temp_path ${temporary};`).join(' ')}
      server { listen 127.0.0.1:${port}; ${files.map(location).join('\n')} }
    }`
  const file = path.join(folder, 'nginx.conf')
  await Bun.write(file, config)
  const at = files[0]?.at ?? '/'
  return startServer({
    command: [program, '-p', folder, '-c', file, '-e', 'stderr'],
    port,
    path: at,
  })
}
