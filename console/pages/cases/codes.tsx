// A note's ICD-10-CM codes: the field, the search next to it, and codes with their titles.
import { codePattern, diagnosisLimits, dotted, noteLimits } from '#contract/console/notes.ts'
import { Fault } from '#http/html/fields.tsx'
import type { ConsoleCall, ConsoleHandler, OperationResult } from '../../context.ts'

export type Note = Extract<OperationResult<'saveCaseNote'>, { problem: null }>['value']
type Code = Note['codes'][number]

/** The loaded list of codes. Null if no list was loaded. */
export type CodeList = Extract<OperationResult<'findDiagnoses'>, { problem: null }>['value']['list']

/** Returns the distinct codes in a text that separates them with spaces or commas. */
export const codesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .filter(code => code !== '')
      .map(code => (/^[a-z]\d[0-9a-z]{1,5}$/i.test(code) ? dotted(code) : code.toUpperCase())),
  ),
]

const form = new RegExp(codePattern)

export function codesFault(codes: readonly string[]): string | undefined {
  const wrong = codes.find(code => !form.test(code))
  if (wrong !== undefined) return `${wrong} isn’t an ICD-10-CM code. Enter codes such as E66.9.`
  const { codesMax } = noteLimits
  return codes.length > codesMax ? `Enter at most ${codesMax} codes.` : undefined
}

function hintOf(list: CodeList): string {
  const separate = 'Separate codes with commas, such as E66.9, Z68.34.'
  if (list === null) {
    return `${separate} No ICD-10-CM list is loaded, so we check only their format, not whether they exist.`
  }
  return list.is_current
    ? `${separate} We check them against the ICD-10-CM list for ${list.year}.`
    : `${separate} The loaded ICD-10-CM list (${list.year}) is out of date, so we check only their format.`
}

type FieldProps = {
  readonly call: ConsoleCall
  readonly list: CodeList
  readonly codes: readonly string[]
  /** The saved codes, with their titles. */
  readonly saved: readonly Code[]
}

/** With scripts, codes can also be found by title (`browser/codes.ts`). */
export const Codes = ({ call, list, codes, saved }: FieldProps) => (
  <div class="field">
    <label for="note-codes">
      ICD-10-CM codes <span class="optional">(optional)</span>
    </label>
    <p class="hint" id="codes-hint">
      {hintOf(list)}
    </p>
    <input
      id="note-codes"
      name="codes"
      value={codes.join(', ')}
      autocomplete="off"
      autocapitalize="characters"
      aria-describedby="codes-hint"
    />
    <Fault name="note-codes" fault={codesFault(codes)} />
    {list !== null && (
      <>
        <CodeLines codes={saved.filter(({ code }) => codes.includes(code))} />
        <div class="code-search" data-codes={call.pathOf('diagnoses')} hidden>
          <label for="code-search">Find a code</label>
          <p class="hint" id="code-search-hint">
            Type the start of a code or words from its title, such as type 2 diab.
          </p>
          <input
            id="code-search"
            type="search"
            role="combobox"
            list={undefined}
            autocomplete="off"
            spellcheck={false}
            maxLength={diagnosisLimits.searchMax}
            aria-autocomplete="list"
            aria-expanded="false"
            aria-controls="code-results"
            aria-describedby="code-search-hint"
          />
          <ul id="code-results" role="listbox" aria-label="Codes found" hidden />
          <p class="fine" role="status" />
        </div>
      </>
    )}
  </div>
)

export const CodeLines = ({ codes }: { codes: readonly Code[] }) => (
  <ul class="codes">
    {codes.map(({ code, title }) => (
      <li key={code} data-code={code}>
        <span class="code">{code}</span> {title}
      </li>
    ))}
  </ul>
)

export const findDiagnoses: ConsoleHandler = async (_, call) => {
  const q = (call.query.get('q') ?? '').trim().slice(0, diagnosisLimits.searchMax)
  const found = q === '' ? null : await call.perform('findDiagnoses', { id: null, query: { q } })
  const data = found?.problem === null ? found.value.data : []
  return {
    file: { name: 'diagnoses.json', type: 'application/json', content: JSON.stringify(data) },
  }
}
