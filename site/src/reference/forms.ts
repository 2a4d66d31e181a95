import { isWrite, type Operation } from '#contract/operation.ts'

// One request as curl, TypeScript and Python. Each form reads the URL and the key from environment
// variables, so it runs as pasted.

/** `name` is the operation's name in words, such as `create-case`. */
export type FormOperation = { name: string; operation: Operation; path: string; body: unknown }

const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)

export function curlForm({ name, operation, path, body }: FormOperation): string {
  const { method } = operation
  const lines = [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} "$API${path}"`,
    '-H "Authorization: Bearer $KEY"',
    ...(isWrite(operation) ? [`-H "Idempotency-Key: ${name}-1"`] : []),
    ...(body === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${indent(JSON.stringify(body, null, 2), '  ').replaceAll("'", `'\\''`)}'`,
        ]),
  ]
  return lines.join(' \\\n  ')
}

export function typescriptForm({ operation, path, body }: FormOperation): string {
  const { method } = operation
  const headers = [
    'authorization: `Bearer ${env.KEY}`,',
    ...(isWrite(operation) ? ["'idempotency-key': crypto.randomUUID(),"] : []),
    ...(body === undefined ? [] : ["'content-type': 'application/json',"]),
  ]
  const sent = body === undefined ? '' : `\n  body: JSON.stringify(${indent(literal(body), '  ')}),`
  return [
    "import { env } from 'node:process'",
    '',
    `const answer = await fetch(\`\${env.API}${path}\`, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: {\n    ${headers.join('\n    ')}\n  },${sent}`,
    '})',
    'if (!answer.ok) throw new Error(await answer.text())',
    'console.log(await answer.json())',
  ].join('\n')
}

/** JSON as a TypeScript literal: keys without quotes, strings in single quotes. */
function literal(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split('\n')
  return lines
    .map(line => line.replace(/^(\s*)"([a-z_]\w*)":/, '$1$2:'))
    .map(line => line.replace(/"((?:[^"\\']|\\.)*)"(,?)$/, "'$1'$2"))
    .join('\n')
}

export function pythonForm({ operation, path, body }: FormOperation): string {
  const { method } = operation
  const headers = [
    '"Authorization": "Bearer " + os.environ["KEY"],',
    ...(isWrite(operation) ? ['"Idempotency-Key": str(uuid.uuid4()),'] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json",']),
  ]
  const sent =
    body === undefined
      ? ''
      : `\n    data=json.dumps(${indent(pythonValue(body), '    ')}).encode(),`
  return [
    `import json, os, urllib.request${isWrite(operation) ? ', uuid' : ''}`,
    '',
    'request = urllib.request.Request(',
    `    os.environ["API"] + "${path}",`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    `    headers={\n        ${headers.join('\n        ')}\n    },${sent}`,
    ')',
    'with urllib.request.urlopen(request) as answer:',
    '    print(json.load(answer))',
  ].join('\n')
}

/** JSON as a Python literal. */
function pythonValue(value: unknown): string {
  return JSON.stringify(value, null, 4)
    .replaceAll(/^(\s*(?:"(?:[^"\\]|\\.)*": )?)true(,?)$/gm, '$1True$2')
    .replaceAll(/^(\s*(?:"(?:[^"\\]|\\.)*": )?)false(,?)$/gm, '$1False$2')
    .replaceAll(/^(\s*(?:"(?:[^"\\]|\\.)*": )?)null(,?)$/gm, '$1None$2')
}
