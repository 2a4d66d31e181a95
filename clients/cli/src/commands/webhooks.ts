// `svc webhooks verify` and `sign`, using the library's own code.

import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Family } from '../arguments.ts'
import type { Context } from '../context.ts'
import { readStdin } from '../environment.ts'
import { CommandError, usage } from '../errors.ts'
import { faultOf, signed } from '../webhooks/signature.ts'

type Flags = { readonly secret?: string; readonly header?: string; readonly tolerance?: string }

async function contentOf(file: string): Promise<Buffer> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw usage(`${file} couldn't be read (${error.code})`)
  })
}

/** Reads the secret from standard input or a file, because the shell's history keeps
 *  command-line arguments. */
async function secretOf(flag: string | undefined): Promise<string> {
  if (flag === undefined) throw usage('--secret is required: - or @file')
  if (flag === '-') return (await readStdin()).trim()
  if (flag.startsWith('@')) return (await contentOf(flag.slice(1))).toString('utf8').trim()
  throw usage(
    '--secret must be - for stdin, or @file',
    'A secret on the command line stays in your shell history.',
  )
}

async function verify({ out }: Context, file: string, flags: Flags): Promise<void> {
  if (flags.header === undefined) throw usage('--header is required: the Service-Signature value')
  const header = flags.header.replace(/^service-signature:\s*/i, '')
  const tolerance = Number(flags.tolerance ?? 300)
  if (!Number.isFinite(tolerance) || tolerance < 0)
    throw usage('--tolerance must be a number of seconds')
  const body = await contentOf(file)
  const fault = await faultOf(body, header, await secretOf(flags.secret), tolerance)
  if (fault) throw new CommandError('checkFailed', fault.message)
  out.say('Signature valid.')
}

type SignFlags = { readonly secret?: string; readonly delivery?: string }

async function sign({ out }: Context, file: string, flags: SignFlags): Promise<void> {
  const body = (await contentOf(file)).toString('utf8')
  let event: unknown
  try {
    event = JSON.parse(body)
  } catch {
    throw usage(`${file} must be an event as JSON`)
  }
  const { id, type } = event as { id?: unknown; type?: unknown }
  if (typeof id !== 'string' || typeof type !== 'string') {
    throw usage(`${file} must be an event, with id and type`)
  }
  const headers = await signed({
    event: { id, type },
    body,
    secret: await secretOf(flags.secret),
    delivery: flags.delivery ?? 'dlv_local_1',
  })
  if (out.format !== 'table') return out.print(headers)
  out.text(
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  )
}

export const webhooksFamily: Family = (parent: Command, open) => {
  const verifying = parent
    .command('verify')
    .description('check a signature, and say why it fails')
    .argument('<file>', 'file with the raw body')
    .option('--secret <->', '- for stdin, or @file')
    .option('--header <value>', 'Service-Signature value')
    .option('--tolerance <seconds>', 'maximum age (300)')
    .addHelpText(
      'after',
      "\nExample:\n  svc webhooks verify body.json --secret @secret.txt --header 't=1795176000,v1=…'\n",
    )
    .action((file: string) => verify(open(verifying), file, verifying.opts<Flags>()))
  const signing = parent
    .command('sign')
    .description('print the headers for an event, signed')
    .argument('<file>', 'event as JSON')
    .option('--secret <->', '- for stdin, or @file')
    .option('--delivery <id>', 'delivery ID (dlv_local_1)')
    .addHelpText('after', '\nExample:\n  svc webhooks sign event.json --secret @secret.txt\n')
    .action((file: string) => sign(open(signing), file, signing.opts<SignFlags>()))
}
