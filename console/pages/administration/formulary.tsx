// The catalog entries the clinic dispenses.

import { changeFormulary } from '#auth/clinics/settings.ts'
import { catalog, type Medication } from '#clinical/medications/medication.ts'
import { Alert, Fault, Hidden } from '#http/html/fields.tsx'
import { Heading, RowForm } from '#http/html/parts.tsx'
import type { ConsoleContext, ConsoleHandler, ConsoleCall } from '../../context.ts'
import { DoneNote } from '../../done.tsx'
import { isOutdated, typedIn } from '#http/pages/typed.tsx'
import { refusalText } from './refusals.ts'
import { clinicOf, revisionOf } from './settings.tsx'

const said = { saved: 'Formulary saved. Integrations see the change right away.' }

type FormularyState = { readonly alert?: string; readonly fault?: string }

/** A medication that left the catalog isn't dispensed anymore. */
function leadOf(formulary: readonly string[] | null): string {
  if (formulary === null) {
    return `The clinic dispenses the whole catalog: ${catalog.length} medications, plus any added later.`
  }
  const dispensed = catalog.filter(one => formulary.includes(one.medication_id))
  return `The clinic dispenses ${dispensed.length} of ${catalog.length} medications in the catalog.`
}

async function formularyPage(
  context: ConsoleContext,
  call: ConsoleCall,
  shown: FormularyState = {},
) {
  const { formulary, revision } = await clinicOf(context, call)
  const groups = Map.groupBy(catalog, one => one.category)
  const isSaved = (id: string) => formulary === null || formulary.includes(id)
  const ticked = new Set(call.form.getAll('medication'))
  const isLate = isOutdated(call, 'changeFormulary', revision)
  const isTyped = typedIn(call, 'changeFormulary', 'revision') !== null
  const isChosen = (id: string) => (isTyped ? ticked.has(id) : isSaved(id))
  return {
    title: 'Formulary',
    status: shown.alert !== undefined ? 409 : shown.fault !== undefined ? 422 : 200,
    content: (
      <>
        <Heading title="Formulary" lead={leadOf(formulary)} />
        {shown.alert !== undefined && <Alert>{shown.alert}</Alert>}
        <DoneNote call={call} said={said} />
        <p>
          Integrations see only these medications. Cases and plans can’t include any others. Signed
          plans aren’t affected.
        </p>
        <RowForm call={call} path={call.pathOf('changeFormulary')} class="stack">
          <Hidden name="revision" value={revision} />
          <Fault name="medication" fault={shown.fault} />
          {[...groups].map(([category, entries]) => (
            <fieldset key={category}>
              <legend>{titleOf(category)}</legend>
              <div class="choices">
                {entries.map(entry => (
                  <Entry
                    key={entry.medication_id}
                    entry={entry}
                    isChosen={isChosen(entry.medication_id)}
                    isSaved={isLate ? isSaved(entry.medication_id) : null}
                  />
                ))}
              </div>
            </fieldset>
          ))}
          <div class="actions">
            <button class="button">Save</button>
            <button class="button second" name="all" value="yes">
              Dispense the whole catalog
            </button>
          </div>
        </RowForm>
      </>
    ),
  }
}

const titleOf = (category: string) =>
  category.charAt(0).toUpperCase() + category.slice(1).replaceAll('_', ' ')

type EntryProps = {
  readonly entry: Medication
  readonly isChosen: boolean
  /** The saved value, after another person changed it. */
  readonly isSaved: boolean | null
}

const Entry = ({ entry, isChosen, isSaved }: EntryProps) => (
  <div class="choice">
    <input
      type="checkbox"
      name="medication"
      id={entry.medication_id}
      value={entry.medication_id}
      checked={isChosen}
    />
    <label for={entry.medication_id}>
      {entry.name} <span class="fine">{`${entry.strength}, ${entry.form}`}</span>
      {isSaved !== null && isSaved !== isChosen && (
        <strong>{isSaved ? ' Saved as dispensed.' : ' Saved as not dispensed.'}</strong>
      )}
    </label>
  </div>
)

/** An older page may offer medications that the catalog no longer has. */
const faultOf = (given: ReadonlySet<string>, chosen: readonly string[]) =>
  given.size > chosen.length
    ? 'The catalog changed after you opened this page. Review your choices, then save again.'
    : chosen.length === 0
      ? 'Choose at least one medication.'
      : undefined

const change: ConsoleHandler = async (context, call) => {
  const given = call.form.getAll('medication')
  const chosen = catalog.map(one => one.medication_id).filter(id => given.includes(id))
  const medications = call.form.get('all') === 'yes' ? null : chosen
  const fault = medications === null ? undefined : faultOf(new Set(given), chosen)
  if (fault !== undefined) return formularyPage(context, call, { fault })
  const { refusal } = await context.pool.use(connection =>
    changeFormulary(connection, { medications, revision: revisionOf(call) }, call.act),
  )
  if (refusal === null) return { redirect: call.pathOf('formulary', {}, { done: 'saved' }) }
  return formularyPage(context, call, { alert: refusalText(refusal) })
}

export const formularyHandlers = {
  formulary: (context, call) => formularyPage(context, call),
  changeFormulary: change,
} satisfies Record<string, ConsoleHandler>
