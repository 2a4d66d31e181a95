// Formats and lints Python with ruff's WebAssembly build from npm.

import { PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs'

/** `F` finds likely mistakes, `I` checks import order, and `B` and `PL` find common bugs. */
const workspace = new Workspace(
  {
    'line-length': 100,
    'target-version': 'py39',
    lint: { select: ['E4', 'E5', 'E7', 'E9', 'F', 'I', 'B', 'W'] },
  },
  PositionEncoding.Utf16,
)

type Place = { readonly row: number; readonly column: number }
type Edit = {
  readonly content: string | null
  readonly location: Place
  readonly end_location: Place
}
type Diagnostic = {
  readonly code: string | null
  readonly message: string
  readonly start_location: Place
  readonly fix: { readonly edits: readonly Edit[] } | null
}

const diagnosticsOf = (text: string) => workspace.check(text) as Diagnostic[]

function edited(text: string, { content, location, end_location: end }: Edit): string {
  const lines = text.split('\n')
  const at = ({ row, column }: Place) =>
    lines.slice(0, row - 1).reduce((sum, line) => sum + line.length + 1, 0) + column - 1
  return text.slice(0, at(location)) + (content ?? '') + text.slice(at(end))
}

/** Formats the text and sorts its imports. */
export function formatPython(name: string, text: string): string {
  const unsorted = diagnosticsOf(text).findLast(({ code }) => code === 'I001')
  const [edit] = unsorted?.fix?.edits ?? []
  try {
    return workspace.format(edit === undefined ? text : edited(text, edit))
  } catch (failure) {
    throw new Error(`${name}: ${String(failure)}`, { cause: failure })
  }
}

/** The linter's complaints, as `file:line code message`. */
export const lintPython = (name: string, text: string): string[] =>
  diagnosticsOf(text).map(
    ({ code, message, start_location }) => `${name}:${start_location.row} ${code ?? ''} ${message}`,
  )
