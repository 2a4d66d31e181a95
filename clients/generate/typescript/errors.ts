// One class per code, with the fields that only that code has.

import { namesIn } from '../homes.ts'
import type { Model, ProblemModel } from '../model.ts'
import { camel } from './resources.ts'
import { importsOf } from './schemas.ts'
import { comment, typeText } from './text.ts'

/** Removes the prefix that names the field's codes: "With `gone`: when …". */
function sentenceOf(description: string): string {
  const text = description.replace(/^With .*?`: /, '')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Fields that every APIError has. */
const inherited = new Set(['errors'])

const ownFields = ({ fields }: ProblemModel) => fields.filter(({ name }) => !inherited.has(name))

function classText(problem: ProblemModel): string {
  const { className, code, status, title, hint } = problem
  const members = ownFields(problem).map(
    ({ name, type, description = '' }) =>
      comment([sentenceOf(description)].filter(Boolean), '  ') +
      `  get ${camel(name)}(): ${typeText(type)} | undefined {\n    return this.raw.${name}\n  }\n`,
  )
  return [
    comment([`${title} (\`${code}\`, ${status}).`, hint]),
    `export class ${className} extends refusedAs('${code}') {${members.length > 0 ? '\n' : ''}`,
    ...members,
    '}\n',
  ].join('')
}

export function errorFile(model: Model): string {
  const names = model.problems.flatMap(one => ownFields(one).flatMap(({ type }) => namesIn(type)))
  const classes = model.problems.map(({ className }) => className)
  return [
    `import { APIError, refusedAs, type Refusal } from '../errors.ts'\n`,
    importsOf(model, names, null, './schemas'),
    '\n',
    model.problems.map(classText).join('\n'),
    `\nconst classes = [${classes.join(', ')}]\n\n`,
    '/** Codes added by later API versions become a plain APIError. */\n',
    'export function errorOf(refusal: Refusal): APIError {\n',
    '  const Known = classes.find(({ code }) => code === refusal.problem.code)\n',
    '  return new (Known ?? APIError)(refusal)\n}\n',
  ].join('')
}
