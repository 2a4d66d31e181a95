import { requestExamples } from '#contract/examples.ts'
import { isWrite, type Operation } from '#contract/operation.ts'
import { inlineLinks } from '../render/inline.ts'
import { escape } from '../render/escape.ts'
import type { Field } from './fields.ts'
import { bodyFields, parametersIn, type Place } from './operation-fields.ts'

// The form that sends a request to the page's server. The form is hidden without scripts. Its
// inputs have no `name`, so a browser never writes a key into a URL.

export function tryForm(id: string, row: Operation): string {
  const optional = [...inputs(row, 'query'), ...inputs(row, 'header')]
  const form = [
    keyInput,
    ...inputs(row, 'path'),
    isWrite(row) ? idempotencyInput : '',
    bodyInput(id, row),
    optional.length === 0
      ? ''
      : `<details class="field-more"><summary>Optional parameters (${optional.length})</summary><div class="try-optional">${optional.join('')}</div></details>`,
    `<p class="try-send"><button class="button" type="submit">Send request</button></p>`,
  ]
  return [
    `<details class="try panel" id="try" data-method="${row.method}" data-path="${row.path}">`,
    '<summary>Try it</summary>',
    `<form novalidate autocomplete="off">${form.join('')}</form>`,
    '<div class="try-answer" role="status" aria-live="polite"></div>',
    '</details>',
  ].join('')
}

const typed = 'autocomplete="off" autocapitalize="off" spellcheck="false"'

const keyInput = `<div class="field"><label for="try-key">Test key</label><input id="try-key" ${typed} placeholder="svc_sk_test_…" aria-describedby="try-key-hint"><p class="hint" id="try-key-hint">Stays in this tab and goes only to this page’s server. Live keys are refused.</p></div>`

const idempotencyInput = `<div class="field"><label for="try-idempotency">Idempotency-Key</label><input id="try-idempotency" ${typed} aria-describedby="try-idempotency-hint"><p class="hint" id="try-idempotency-hint">Use a new key for each new request. Sending the same request with the same key returns the first response and has no second effect.</p></div>`

/** The inputs for one location. `Idempotency-Key` has its own input. */
const inputs = (row: Operation, place: Place): string[] =>
  parametersIn(row, place)
    .filter(({ name }) => name !== 'Idempotency-Key')
    .map(field => input(field, place))

function input(field: Field, place: Place): string {
  const { name, values, description, type } = field
  const id = `try-${place}-${name}`
  const facts = `id="${id}" data-place="${place}" data-name="${name}"${description === '' ? '' : ` aria-describedby="${id}-hint"`}`
  const prefix = /begins with `(\w+_)`/.exec(field.limits.join())?.[1]
  const ofId = prefix === undefined ? '' : ` data-prefix="${prefix}" placeholder="${prefix}…"`
  const choices = values.length > 0 ? values : type === 'boolean' ? ['true', 'false'] : []
  const control =
    choices.length === 0
      ? `<input ${facts} ${typed}${ofId}>`
      : `<select ${facts}><option value="">Not sent</option>${choices.map(value => `<option>${value}</option>`).join('')}</select>`
  const hint =
    description === '' ? '' : `<p class="hint" id="${id}-hint">${inlineLinks(description)}</p>`
  return `<div class="field"><label for="${id}">${name}</label>${control}${hint}</div>`
}

const pretty = (value: unknown) => escape(JSON.stringify(value, null, 2))
const inWords = (name: string) => {
  const text = name.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function bodyInput(id: string, row: Operation): string {
  if (bodyFields(row).length === 0) return ''
  const examples = Object.entries(requestExamples(id))
  const choices = examples.map(
    ([name, value]) => `<option value="${pretty(value)}">${inWords(name)}</option>`,
  )
  const choice =
    examples.length < 2
      ? ''
      : `<div class="field"><label for="try-example">Example</label><select id="try-example">${choices.join('')}</select></div>`
  const lines = Math.min(14, JSON.stringify(examples[0]?.[1] ?? {}, null, 2).split('\n').length)
  return `${choice}<div class="field"><label for="try-body">Body</label><textarea id="try-body" rows="${lines}" ${typed}>${pretty(examples[0]?.[1] ?? {})}</textarea></div>`
}
