// The program's output on terminals of two widths, in pipes, and after failures.

import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rivera } from '#contract/examples.ts'
import { exitCodes } from './src/errors.ts'
import { cutAnswers } from './testing/cut-answers.ts'
import { problemResponse } from './testing/problem.ts'
import { answeredOnTerminal, onTerminal, python } from './testing/terminal.ts'
import type { Cli } from './testing/use-cli.ts'

const escape = '\u001b'
/** Replaces values that differ between runs. */
const steady = (text: string) =>
  text
    .replaceAll(/\b(pat|case|cons|org|req|ord|rx)_[0-9a-z]{26}\b/g, '$1_…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(new RegExp(`${escape}\\[\\d+m`, 'g'), '')
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')

export function outputSuite(cli: Cli): void {
  const withKey = () => ({ SVC_API_KEY: cli.platform.key })

  describe('exit codes', () => {
    test('each failure prints its reason, and nothing on stdout', async () => {
      const limited = Bun.serve({ port: 0, fetch: () => problemResponse(429, 'rate_limited') })
      const broken = Bun.serve({
        port: 0,
        fetch: () => problemResponse(503, 'service_unavailable'),
      })
      const { home, run, runAll } = cli.shell
      const at = ({ port }: { port: number | undefined }) => [
        '--base-url',
        `http://localhost:${port}`,
      ]
      const [body, secret] = [path.join(home, 'body.json'), path.join(home, 'secret')]
      writeFileSync(body, '{}')
      writeFileSync(secret, `whsec_${'a'.repeat(32)}`)
      const signature = ['--secret', `@${secret}`, '--header', `t=1,v1=${'0'.repeat(64)}`]
      const loggedIn: [name: keyof typeof exitCodes, words: string[]][] = [
        ['usage', ['cases', 'creat']],
        ['usage', ['cases', 'get']],
        ['usage', ['cases', 'list', '--unknown']],
        ['usage', ['cases', 'get', 'pat_1']],
        ['refused', ['patients', 'create', '-d', 'first_name=Ada']],
        ['notFound', ['cases', 'get', 'case_01m7wqryk2hdshyqxcd9x2kd4r']],
        ['rateLimited', ['cases', 'list', ...at(limited)]],
        ['unavailable', ['cases', 'list', ...at(broken)]],
        ['unavailable', ['cases', 'list', '--base-url', 'http://localhost:1']],
        ['checkFailed', ['webhooks', 'verify', body, ...signature]],
      ]
      const ran = await runAll(
        loggedIn.map(([, words]) => words),
        { env: withKey() },
      )
      const found = ran.map(({ code, out, err }) => [code, out, err.startsWith('Error: ')])
      expect(found).toEqual(loggedIn.map(([name]) => [exitCodes[name], '', true]))
      expect(ran[0]?.err).toBe("Error: unknown command 'creat': did you mean create?\n")
      await Promise.all([limited.stop(true), broken.stop(true)])

      const others: [
        name: keyof typeof exitCodes,
        words: string[],
        env?: Record<string, string>,
      ][] = [
        ['done', ['organization', 'get'], withKey()],
        [
          'failed',
          ['config', 'set', 'base_url', 'https://a.example.com'],
          { SVC_CONFIG: '/dev/null/a' },
        ],
        ['notLoggedIn', ['cases', 'list']],
        ['notLoggedIn', ['cases', 'list'], { SVC_API_KEY: `${cli.platform.key}x` }],
      ]
      const codes = others.map(
        async ([, words, env]) => (await run(words, env ? { env } : {})).code,
      )
      expect(await Promise.all(codes)).toEqual(others.map(([name]) => exitCodes[name]))
    })

    test('a write whose response is cut off names the key that makes a retry safe', async () => {
      const cutting = await cutAnswers(cli.platform.base)
      const words = [
        'patients',
        'create',
        '--data',
        JSON.stringify(rivera),
        '-d',
        'external_id=cut-1',
      ]
      const at = ['--base-url', cutting.base]
      const cut = await cli.shell.runLine([...words, ...at], { env: withKey() })
      await cutting.close()
      expect([cut.code, cut.out]).toEqual([exitCodes.unavailable, ''])
      const key = /--idempotency-key (svccli_\S+)/.exec(cut.err)?.[1] ?? ''
      const again = await cli.shell.runLine([...words, '--idempotency-key', key], {
        env: withKey(),
      })
      expect([again.code, again.err]).toEqual([
        0,
        'Replayed: this key was used before. This is the original response.\n',
      ])
      const { data } = await cli.call('GET', '/v1/patients?external_id=cut-1')
      expect(data).toHaveLength(1)
    })

    test('130: Ctrl-C ends a waiting command', async () => {
      const child = cli.shell.start(['events', 'tail'], { env: withKey() })
      const reader = child.stderr.getReader()
      const first = new TextDecoder().decode((await reader.read()).value)
      expect(first).toBe('Waiting for events. Press Ctrl-C to stop.\n')
      child.kill('SIGINT')
      expect(await child.exited).toBe(130)
    })
  })

  describe('streams', () => {
    beforeAll(async () => {
      for (let at = 0; at < 2; at++) await cli.call('POST', '/v1/patients', rivera)
    })

    test('--data @- reads the body from standard input, and -d overrides it', async () => {
      const patients = await cli.call('GET', '/v1/patients?limit=1')
      const { id } = patients.data[0] ?? { id: '' }
      const words = ['patients', 'update', id, '--data', '@-', '-d', 'middle_name=Lee', '--json']
      const stdin = '{"first_name":"Piped","middle_name":"Kim"}'
      const { code, out } = await cli.shell.run(words, { env: withKey(), stdin })
      expect([code, JSON.parse(out)]).toMatchObject([
        0,
        { first_name: 'Piped', middle_name: 'Lee' },
      ])
    })

    test('a refusal with --json is a problem on stderr, and stdout is empty', async () => {
      const words = ['patients', 'create', '-d', 'frist_name=Ada', '--json']
      const { out, err } = await cli.shell.runLine(words, { env: withKey() })
      expect(out).toBe('')
      expect(JSON.parse(err)).toMatchObject({ code: 'invalid_request', status: 400 })
    })

    test('--json prints the API’s response; jsonl, ids, yaml, --fields and --jq derive from it', async () => {
      const answer = await cli.call('GET', '/v1/patients?limit=2')
      const ids = answer.data.map(({ id }) => id)
      expect(ids).toHaveLength(2)
      const list = (...more: string[]) => ['patients', 'list', '--limit', '2', ...more]
      const formats = [['--json'], ['--format', 'jsonl'], ['--format', 'ids'], ['--format', 'yaml']]
      const others = [
        ['--fields', 'id', '--format', 'jsonl'],
        ['--jq', '.[].id'],
        ['--jq', '.['],
        ['--jq', '.a'],
        ['--limit', '1'],
      ]
      const ran = await cli.shell.runAll(
        [...formats, ...others].map(more => list(...more)),
        { env: withKey() },
      )
      const [json, jsonl, plain, yaml, fields, jq] = ran.map(({ out }) => out)
      expect(ran.slice(6, 8).map(({ code, err }) => [code, err])).toEqual([
        [2, 'Error: --jq: syntax error, unexpected end of file\n'],
        [2, 'Error: --jq: Cannot index array with string "a"\n'],
      ])
      expect(JSON.parse(json ?? '')).toEqual(answer.data)
      const lines = (jsonl ?? '').trim().split('\n')
      expect(lines.map((line): unknown => JSON.parse(line))).toEqual([...answer.data])
      expect(plain).toBe(`${ids.join('\n')}\n`)
      expect<unknown>(Bun.YAML.parse(yaml ?? '')).toEqual(answer.data)
      expect(fields).toBe(ids.map(id => `{"id":"${id}"}\n`).join(''))
      expect(jq).toBe(`${ids.join('\n')}\n`)
      expect(ran.at(-1)?.err).toBe('1 shown. Add --all for the rest.\n')
    })

    test('a pipe that closes early isn’t a failure, and gets no color', async () => {
      const { node, installed, home, env } = cli.shell
      const command = `${node} ${installed.program} openapi | head -c 10; echo " \${PIPESTATUS[0]}"`
      const child = Bun.spawn(['bash', '-c', command], { cwd: home, env, stdout: 'pipe' })
      expect(await new Response(child.stdout).text()).toBe('{\n  "opena 0\n')
    })

    test('--verbose shows each exchange without an id, a body or a secret', async () => {
      const patients = await cli.call('GET', '/v1/patients?limit=1')
      const { id } = patients.data[0] ?? { id: '' }
      const words = ['patients', 'get', id, '--verbose']
      const { err } = await cli.shell.runLine(words, { env: withKey() })
      expect(err).toMatch(/^GET \/v1\/patients\/\{id\} → 200 in \d+ ms req_\w{26}\n$/)
    })
  })

  describe('settings', () => {
    test('a project file with a secret is refused, and its value not shown', async () => {
      const file = path.join(cli.shell.home, '.svc.toml')
      writeFileSync(file, `api_key = "${cli.platform.key}"\n`)
      const { code, err } = await cli.shell.runLine(['config', 'list'])
      writeFileSync(file, '')
      expect(code).toBe(2)
      expect(err).toContain('must not hold a secret: api_key')
      expect(err).not.toContain(cli.platform.key)
    })

    test('an unknown format is refused, even in the settings file', async () => {
      const { runLine } = cli.shell
      const file = path.join(cli.shell.home, 'formats.toml')
      const env = { SVC_CONFIG: file }
      const set = await runLine(['config', 'set', 'output.format', 'xml'], { env })
      expect([set.code, set.err]).toEqual([
        2,
        'Error: output.format must be one of table, json, jsonl, yaml, csv, ids\n',
      ])
      expect((await runLine(['config', 'set', 'output.format', 'json'], { env })).code).toBe(0)
      expect(JSON.parse((await runLine(['config', 'list'], { env })).out)).toMatchObject({
        'output.format': 'json',
      })
      writeFileSync(file, '[output]\nformat = "xml"\n')
      expect((await runLine(['config', 'list'], { env })).err).toStartWith(
        'Error: output.format must',
      )
    })

    test('flag, environment, project, profile and default take precedence in this order', async () => {
      const { runLine, home } = cli.shell
      const none = { SVC_BASE_URL: '' }
      const base = async (words: string[], env: Record<string, string> = none) =>
        (
          JSON.parse(
            (await runLine(['config', 'list', '--json', ...words], { env })).out,
          ) as Record<string, string>
        )['base_url']
      expect(await base([])).toBe('https://api.example.com')
      await runLine(['config', 'set', 'base_url', 'https://profile.example.com'])
      expect(await base([])).toBe('https://profile.example.com')
      writeFileSync(path.join(home, '.svc.toml'), 'base_url = "http://localhost:4000"\n')
      expect(await base([])).toBe('http://localhost:4000')
      const env = { SVC_BASE_URL: 'https://env.example.com' }
      expect(await base([], env)).toBe('https://env.example.com')
      expect(await base(['--base-url', 'https://flag.example.com'], env)).toBe(
        'https://flag.example.com',
      )
      writeFileSync(path.join(home, '.svc.toml'), '')
      const folder = path.join(home, '.config/svc')
      expect(readdirSync(folder)).toEqual(['config.toml'])
      expect(statSync(path.join(folder, 'config.toml')).mode & 0o777).toBe(0o600)
      expect(readFileSync(path.join(folder, 'config.toml'), 'utf8')).toContain('[profiles.default]')
    })
  })

  describe.skipIf(python === null)('terminals of 80 and 40 columns (needs python3)', () => {
    for (const columns of [80, 40]) {
      test(`${columns}: help, a table, an object and an error fit`, async () => {
        const env = withKey()
        const lines = [
          ['help'],
          ['cases', 'list', '--help'],
          ['medications', 'list', '--limit', '2'],
          ['test', 'autopilot', 'get'],
          ['cases', 'get', 'case_01m7wqryk2hdshyqxcd9x2kd4r'],
        ]
        const all = await onTerminal(cli.shell, columns, lines, env)
        const [help, command, table, object, error] = all
        for (const text of [help, table, object]) {
          const printed = steady(text ?? '').split('\n')
          expect(printed.filter(line => line.length > columns)).toEqual([])
        }
        const shown = [help, command, table, object, error].map(text => steady(text ?? ''))
        expect(shown.join('\n---\n')).toMatchSnapshot()
        expect(table).toContain(`${escape}[2m`)
      })
    }

    test.each([
      ['harbor', 2, 'nothing was changed'],
      ['\u0003', 130, 'nothing was changed'],
    ])('reset asks for the slug; %j changes nothing', async (typed, code, says) => {
      const before = await cli.call('GET', '/v1/patients?limit=1')
      const words = ['sandbox', 'reset']
      const keys = typed === '\u0003' ? typed : `${typed}\r`
      const ended = await answeredOnTerminal(cli.shell, words, keys, withKey())
      expect([ended.code, ended.text.includes(says)]).toEqual([code, true])
      expect(await cli.call('GET', '/v1/patients?limit=1')).toEqual(before)
      expect(before.data).toHaveLength(1)
    })

    test('NO_COLOR removes the color and nothing else', async () => {
      const words = ['medications', 'list', '--limit', '2']
      const [plain] = await onTerminal(cli.shell, 80, [words], { ...withKey(), NO_COLOR: '1' })
      expect(plain).not.toContain(escape)
      expect(plain).toContain('medication_id')
    })
  })
}
