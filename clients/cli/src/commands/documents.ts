// `svc openapi`, `svc postman` and `svc map`: documents for programs.

import type { Family } from '../arguments.ts'
import { flagsOf } from '../arguments.ts'
import { usage } from '../errors.ts'
import { mapOf } from '../map.ts'
import { formatIn } from '../output/format.ts'
import { documentNamed } from '../offline.ts'

export const openapiFamily: Family = (command, open) => {
  command
    .option('--preview', 'print the preview API instead')
    .addHelpText('after', '\nExample:\n  svc openapi --format yaml > openapi.yaml\n')
    .action(async () => {
      const { out } = open(command)
      const { preview } = command.opts<{ preview?: boolean }>()
      const text = await documentNamed(preview ? 'openapi.preview.json' : 'openapi.v1.json')
      const flags = flagsOf(command)
      const { jq, fields } = flags
      const { wanted: format = 'json' } = formatIn(flags)
      if (format === 'json' && jq === undefined && fields === undefined) return out.text(text)
      if (!['json', 'yaml'].includes(format)) throw usage('--format must be json or yaml')
      await out.print(JSON.parse(text))
    })
}

export const postmanFamily: Family = (command, open) => {
  command
    .option('--environment', 'print the sandbox environment instead')
    .addHelpText('after', '\nExample:\n  svc postman > collection.json\n')
    .action(async () => {
      const { environment } = command.opts<{ environment?: boolean }>()
      const name = environment ? 'postman.sandbox.json' : 'postman.v1.json'
      open(command).out.text(await documentNamed(name))
    })
}

export const mapFamily: Family = (command, open) => {
  command.action(async () => {
    const { out } = open(command)
    const rows = mapOf(command)
    if (out.format !== 'table') return out.print(rows)
    const widest = Math.max(...rows.map(({ command: line }) => line.length))
    const lines = rows.map(row => `${row.command.padEnd(widest)}  ${row.summary}\n`)
    out.text(lines.join(''))
  })
}
