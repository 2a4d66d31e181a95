// Reads the CDC's ICD-10-CM files as published. In icd10cm-codes-2026.txt, each line has a code,
// spaces and its title; icd10cm-order-2026.txt has fixed columns, and headings among the codes.
import { isUtf8 } from 'node:buffer'
import { dotted } from '#contract/console/notes.ts'

export type Diagnosis = { readonly code: string; readonly title: string }

/** `line` counts from one. */
class MalformedLine extends Error {
  constructor(line: number, what: string) {
    super(`Line ${line} ${what}. Nothing was changed.`)
  }
}

const codeForm = /^[A-Z]\d[0-9A-Z]{1,5}$/
/** Order number, code, whether it's billable, short title and title. */
const orderForm = /^\d{5} ([0-9A-Z ]{7}) ([01]) .{60} (\S.*)$/
const plainForm = /^(\S+) +(\S.*)$/

/** The year in a published file's name. */
export const yearIn = (name: string): number | null => {
  const year = /^icd10cm[-_](?:codes|order)[-_](?:[a-z]+[-_])?(20\d\d)\b/i.exec(name)?.[1]
  return year === undefined ? null : Number(year)
}

const textOf = (bytes: Uint8Array): string =>
  new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)

/** Returns the billable codes. */
export function readCodes(bytes: Uint8Array): Diagnosis[] {
  const lines = textOf(bytes).trimEnd().split(/\r?\n/)
  const isOrder = /^\d{5} /.test(lines[0] ?? '')
  const lineOf = new Map<string, number>()
  const read: Diagnosis[] = []
  for (const [at, text] of lines.entries()) {
    const line = at + 1
    const [, code = '', flag = '1', title = ''] = isOrder ? partsOf(orderForm, text) : plain(text)
    if (!codeForm.test(code.trimEnd())) {
      throw new MalformedLine(
        line,
        `doesn’t belong in an ICD-10-CM ${isOrder ? 'order' : 'codes'} file`,
      )
    }
    const entry = { code: dotted(code.trimEnd()), title: title.trimEnd() }
    const first = lineOf.get(entry.code)
    if (first !== undefined) {
      throw new MalformedLine(line, `repeats ${entry.code}, which is on line ${first}`)
    }
    lineOf.set(entry.code, line)
    if (flag === '1') read.push(entry)
  }
  if (read.length === 0)
    throw new MalformedLine(lines.length, 'is the last, and the file has no billable codes')
  return read
}

const partsOf = (form: RegExp, text: string): readonly string[] => form.exec(text) ?? []

function plain(text: string): readonly string[] {
  const [whole = '', code = '', title = ''] = partsOf(plainForm, text)
  return [whole, code, '1', title]
}
