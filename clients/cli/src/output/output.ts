// Data goes to standard output, and messages go to standard error. Pipes get no color or animation.

import { ApiRefusal, type CommandError, errorJson, repeatAdvice } from '../errors.ts'
import { openCsv } from './csv.ts'
import { type Format, formatted, json, jsonLine, pick } from './format.ts'
import { masked } from './mask.ts'
import { details, type Look, printable, table } from './table.ts'

export type OutputSettings = {
  readonly format: Format
  readonly fields?: readonly string[]
  readonly jq?: string
  readonly isQuiet: boolean
  readonly isVerbose: boolean
  /** Whether tables show only the beginning of identifying values. */
  readonly isMasked: () => boolean
  readonly look: { readonly stdout: Look; readonly stderr: Look }
  readonly write: (text: string) => void
  readonly writeError: (text: string) => void
  /** Called with each response that is shown. */
  readonly onShown?: (value: unknown) => void
}

export type Output = ReturnType<typeof openOutput>

export function openOutput(settings: OutputSettings) {
  const { format, fields, look } = settings
  const csv = openCsv()
  const chosen = (value: unknown) => {
    if (!fields) return value
    return Array.isArray(value) ? value.map(one => pick(one, fields)) : pick(value, fields)
  }
  const color = (code: number, text: string) =>
    look.stderr.hasColor ? `\u001b[${code}m${text}\u001b[39m` : text

  const print = async (value: unknown): Promise<void> => {
    settings.onShown?.(value)
    if (settings.jq !== undefined) {
      const { filtered } = await import('./jq.ts')
      return settings.write(await filtered(chosen(value), settings.jq))
    }
    if (format === 'csv') {
      const rows = chosen(value)
      return settings.write(csv(Array.isArray(rows) ? rows : [rows]))
    }
    if (format !== 'table') return settings.write(await formatted(chosen(value), format))
    // Masks before --fields selects, because masking needs the original field names.
    const shown = chosen(settings.isMasked() ? masked(value) : value)
    settings.write(details(shown, look.stdout))
  }

  return {
    format,
    look,
    isQuiet: settings.isQuiet,
    isVerbose: settings.isVerbose,
    /** Prints text as is: a document, a script, or a requested secret. */
    text: settings.write,
    /** Prints one object. */
    print,
    /** Prints a list's rows. A table shows `columns`, unless --fields names others. */
    async list(rows: readonly unknown[], columns: readonly string[]): Promise<void> {
      if (format !== 'table' || settings.jq !== undefined) return print(rows)
      settings.onShown?.(rows)
      const shown = settings.isMasked() ? rows.map(masked) : rows
      if (shown.length > 0) {
        settings.write(await table(shown, fields ?? columns, look.stdout))
      }
    },
    /** Prints one event of a stream, on its own line in every format. */
    async item(value: unknown, line: string): Promise<void> {
      if (settings.jq !== undefined || format === 'csv') return print(value)
      settings.onShown?.(value)
      settings.write(format === 'table' ? `${printable(line)}\n` : jsonLine(chosen(value)))
    },
    /** Prints a message to standard error, unless --quiet is set. */
    say(text: string): void {
      if (!settings.isQuiet) settings.writeError(`${text}\n`)
    },
    /** Prints a warning to standard error, even with --quiet. */
    warn(text: string): void {
      settings.writeError(`${color(33, 'Warning:')} ${text}\n`)
    },
    verbose(text: string): void {
      if (settings.isVerbose) settings.writeError(`${text}\n`)
    },
    fail(error: CommandError): void {
      if (isForPrograms(format)) return settings.writeError(json(errorJson(error)))
      settings.writeError(`${color(31, 'Error:')} ${printable(error.message)}\n${advice(error)}`)
    },
  }
}

/** Whether the format is for programs. If so, errors are JSON, and stderr has nothing else
 *  unless requested. */
export const isForPrograms = (format: Format) => ['json', 'jsonl', 'yaml'].includes(format)

/** The lines below an error's first line: details, the hint, and a link. */
export function advice(error: CommandError): string {
  const { idempotencyKey } = error
  const rows = idempotencyKey === undefined ? [] : [repeatAdvice(idempotencyKey)]
  if (error instanceof ApiRefusal) {
    const { problem } = error
    if (problem.detail) rows.push(problem.detail)
    for (const { pointer, message } of problem.errors ?? []) rows.push(`${pointer}  ${message}`)
    if (error.suggestion !== undefined) rows.push(error.suggestion)
    if (problem.hint) rows.push(problem.hint)
    if (problem.request_id) rows.push(`Request: ${problem.request_id}`)
    rows.push(`Run: svc explain ${problem.code}`)
  } else if (error.hint !== undefined) rows.push(...error.hint.split('\n'))
  return rows.map(row => `  ${printable(row)}\n`).join('')
}
