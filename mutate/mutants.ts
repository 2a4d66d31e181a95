// The small faults that can be put into a source file: where, and with which replacement.
import { parse, type ParserPlugin } from '@babel/parser'
import { type Change, changedNumber, type Kind } from './change.ts'
import { sqlMutants } from './sql-mutants.ts'

type Node = { type: string; start: number; end: number; [member: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const comparisons: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
}

/** Nodes in which only the expression is running code. */
const wrappers = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])
const withoutCode = /^(TS|Import|Type)|^ExportAllDeclaration$/

/** Every fault in a TypeScript source, in text order. `file` is its name, because `<` starts an
 *  element in a `.tsx` file. */
export function mutantsOf(text: string, file = ''): Change[] {
  const plugins: ParserPlugin[] = file.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript']
  const { program } = parse(text, { sourceType: 'module', plugins })
  const found: Change[] = []
  visit(program as unknown as Node)
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end)

  function visit(node: Node): void {
    if (wrappers.has(node.type)) return visitIn(node['expression'])
    if (withoutCode.test(node.type)) return
    found.push(...changesAt(node, text))
    // Only the sign of a sort function's result matters.
    const isOrder = node.type === 'ConditionalExpression' && sourceOf(node).endsWith('? -1 : 1')
    if (isOrder) return visitIn(node['test'])
    for (const [name, value] of Object.entries(node)) {
      // An object key is only a name, and `extra` belongs to the parser.
      if (name !== 'extra' && name !== 'typeAnnotation' && !isFixedKey(node, name)) visitIn(value)
    }
  }

  function sourceOf({ start, end }: Node): string {
    return text.slice(start, end)
  }

  function visitIn(value: unknown): void {
    if (Array.isArray(value)) for (const one of value) visitIn(one)
    else if (isNode(value)) visit(value)
  }
}

const isFixedKey = (node: Node, name: string) => name === 'key' && node['computed'] !== true

function changesAt(node: Node, text: string): Change[] {
  const child = (name: string) => node[name] as Node
  const change = (kind: Kind, at: Node, replacement: string): Change[] => [
    { kind, start: at.start, end: at.end, replacement },
  ]
  const source = (at: Node) => text.slice(at.start, at.end)
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operatorChange(node, text)
    case 'UnaryExpression':
      return node['operator'] === '!' ? change('operator', node, source(child('argument'))) : []
    case 'IfStatement':
      return ifChanges(node, text)
    case 'ConditionalExpression':
      return hasOwnFaults(child('test'))
        ? []
        : change('condition', child('test'), `!(${source(child('test'))})`)
    case 'AwaitExpression':
      return [{ kind: 'await', start: node.start, end: child('argument').start, replacement: '' }]
    case 'BooleanLiteral':
      return change('boolean', node, String(node['value'] !== true))
    case 'NumericLiteral':
      return change('number', node, changedNumber(source(node)))
    case 'ExpressionStatement':
      return isRemovable(source(child('expression'))) ? change('call', node, ';') : []
    case 'TaggedTemplateExpression': {
      const { start, end } = child('quasi')
      const isSql = /(^|\.)sql$/.test(source(child('tag')))
      return isSql ? sqlMutants(text, start + 1, end - 1) : []
    }
    default:
      return []
  }
}

/** An expression with operators already has faults that flip the condition. */
const hasOwnFaults = ({ type }: Node) => /^(Binary|Logical|Unary)Expression$/.test(type)

function operatorChange(node: Node, text: string): Change[] {
  const operator = String(node['operator'])
  const replacement = comparisons[operator]
  if (replacement === undefined) return []
  const start = text.indexOf(operator, (node['left'] as Node).end)
  const kind = node.type === 'LogicalExpression' ? 'operator' : 'comparison'
  return [{ kind, start, end: start + operator.length, replacement }]
}

/** One fault skips the body. A second fault always runs the body, unless the body exits early. */
function ifChanges(node: Node, text: string): Change[] {
  const { start, end } = node['test'] as Node
  const body = text.slice((node['consequent'] as Node).start, (node['consequent'] as Node).end)
  if (/^\{?\s*(?:\/\/.*\s*)*(return|throw|continue|break)\b/.test(body)) {
    return [{ kind: 'early return', start, end, replacement: 'false' }]
  }
  return ['false', 'true'].map(replacement => ({ kind: 'condition', start, end, replacement }))
}

/** Log lines aren't part of any contract, and `super()` can't be left out. */
const isRemovable = (expression: string) =>
  /^(await |void )?[\w.?#[\]]+\(/.test(expression) &&
  !/^(await )?(super|console\.|.*\blog(ger)?\b)/.test(expression.split('(')[0] ?? '')
