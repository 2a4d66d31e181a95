// `svc files upload`: reserve, send the bytes to storage, confirm.

import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { isRefusal } from '../../../typescript/src/errors.ts'
import type { Family } from '../arguments.ts'
import { unreachable, wait } from '../api/client.ts'
import type { Context } from '../context.ts'
import { newKey } from '../environment.ts'
import { ApiRefusal, CommandError, exitOf, usage } from '../errors.ts'
import { send } from '../network.ts'
import { operation } from '../operations/operation.ts'

type Flags = {
  readonly patient?: string
  readonly kind?: string
  readonly case?: string
  readonly mime?: string
  readonly filename?: string
}

type Reserved = {
  readonly id: string
  readonly upload_url: string
  readonly upload_headers: Readonly<Record<string, string>>
  readonly max_bytes: number
}

const endings: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.heic': 'image/heic',
}

async function bytesOf(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    if ((await stat(file)).isDirectory()) throw usage(`${file} must be a file`)
    return new Uint8Array(await readFile(file))
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw usage(`${file} couldn't be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** Includes storage's one-line reason, but not a proxy's page. */
async function refusalOf(response: Response): Promise<CommandError> {
  const { status, headers } = response
  const isText = headers.get('content-type')?.startsWith('text/plain')
  const text = isText ? (await response.text()).trim() : ''
  const reason = text && `: ${text.replace(/\n[^]*/, '')}`
  return new CommandError(exitOf(status), `storage responded with ${status}${reason}`)
}

/** Returns storage's refusal, if any. Retries after a lost connection, because storage accepts the
 *  same bytes again. */
async function store(
  { upload_url, upload_headers }: Reserved,
  body: Uint8Array<ArrayBuffer>,
  key: string,
): Promise<CommandError | undefined> {
  for (let attempt = 1; ; attempt++) {
    const response = await send(upload_url, {
      method: 'PUT',
      headers: upload_headers,
      body,
      signal: AbortSignal.timeout(120_000),
    }).catch((error: unknown) => {
      if (attempt >= 3) throw unreachable(upload_url, error, key)
      return undefined
    })
    if (response?.ok) return undefined
    if (response && (response.status < 500 || attempt >= 3)) return refusalOf(response)
    await wait(500 * attempt)
  }
}

async function upload(context: Context, file: string, flags: Flags): Promise<void> {
  const { api, out, flags: shared } = context
  const { patient, kind } = flags
  if (!patient || !kind) throw usage('--patient and --kind are required')
  const mime = flags.mime ?? endings[path.extname(file).toLowerCase()]
  const { body: fields = [] } = await operation('createFile')
  const known = fields.find(({ name }) => name === 'mime')?.values ?? []
  if (mime === undefined) throw usage(`--mime must be one of ${known.join(', ')}`)
  const bytes = await bytesOf(file)
  const filename = flags.filename ?? path.basename(file)
  await context.mode()
  const reserve = {
    patient,
    kind,
    filename,
    mime,
    size_bytes: bytes.length,
    ...(flags.case ? { case: flags.case } : {}),
  }
  const key = shared.idempotencyKey ?? newKey()
  const reservation = await api.call({
    method: 'POST',
    path: '/v1/files',
    body: reserve,
    idempotencyKey: `${key}-reserve`,
    commandKey: key,
  })
  const reserved = reservation.body as Reserved
  const refused = await store(reserved, bytes, key)
  // Storage also refuses a repeated upload whose confirmation has already succeeded.
  if (refused && !(reservation.replayed && refused.exit === 'notPermitted')) throw refused
  const confirmed = api.call({
    method: 'POST',
    path: '/v1/files/{id}/confirm',
    ids: [reserved.id],
    body: { patient, kind, filename },
    idempotencyKey: `${key}-confirm`,
    commandKey: key,
  })
  const { body } = await confirmed.catch((error: unknown) => {
    throw refused && error instanceof ApiRefusal && isRefusal(error.problem) ? refused : error
  })
  await out.print(body)
}

export const filesFamily: Family = (parent, open) => {
  const command = parent
    .command('upload')
    .description('upload and confirm a file')
    .argument('<path>', 'PDF, JPEG, PNG or HEIC file')
    .requiredOption('--patient <id>', 'patient ID')
    .requiredOption('--kind <word>', 'such as photo_id')
    .option('--case <id>', 'case ID')
    .option('--mime <type>', 'MIME type (default: from the file name)')
    .option('--filename <name>', 'name to show (default: the file name)')
    .action((file: string) => upload(open(command), file, command.opts<Flags>()))
}
