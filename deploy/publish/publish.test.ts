// An editor's commands and pushes, from a clean clone to a real bare repository. A gateway that
// watches the published link serves the results.
import { afterAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { until } from '#http/testing/until.ts'
import { article, file, openClone, question, slug, title } from './testing/editor.ts'

const root = path.join(import.meta.dir, '..', '..')
const { home, clone, bare, sites, who, run, git, push, pushTo } = await openClone(process.env)
const current = path.join(sites, 'current')
const secondsMax = 480

let url = ''
let gateway: Bun.Subprocess | undefined
const read = (address: string, accept = '*/*') => fetch(url + address, { headers: { accept } })
const reading = async (address: string, accept?: string) => (await read(address, accept)).text()

/** The served build, and the responses at the addresses that a new article changes. */
async function everything(): Promise<string[]> {
  return [readlinkSync(current), ...(await Promise.all(places.map(place => reading(place))))]
}

// The timeout is long, because three builds have thousands of files, and the disk may be busy.
afterAll(() => {
  gateway?.kill()
  rmSync(home, { recursive: true, force: true })
}, 60_000)

/** The places where an article appears. */
const places = [
  '/blog',
  '/blog.md',
  '/llms.txt',
  '/llms-full.txt',
  '/blog/llms.txt',
  '/changes.json',
  '/sitemap.xml',
  '/feed.xml',
  '/catalog/articles.json',
  '/catalog/search.json',
  `/ask?query=${encodeURIComponent(question)}`,
]

test(
  'publish: the first push checks the content once and publishes, and a gateway serves the build',
  async () => {
    const { code, output } = await push('First version')
    expect(output.match(/^content: 0 |^publish: content checked/gm)).toHaveLength(1)
    expect(output).toMatch(/^publish: site built in [\d.]+ s \(\/ask answers \d+ .*\)$/m)
    expect(output).toMatch(
      /^publish: links checked in [\d.]+ s \(\d+ site URLs respond, \d+ .*\)$/m,
    )
    expect(output).toMatch(/^publish: live: 2\d{3}-\S+$/m)
    expect(code).toBe(0)
    const command = [process.execPath, path.join(root, 'gateway/commands/preview.ts'), current]
    const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' })
    gateway = child
    const { value } = await child.stdout.getReader().read()
    const opened: { url: string } = JSON.parse(new TextDecoder().decode(value))
    url = opened.url
    expect((await read('/')).status).toBe(200)
    expect((await read(`/blog/${slug}`)).status).toBe(404)
  },
  secondsMax * 1000,
)

/** An editor's command, run in the clone. */
const command = (script: string, ...words: string[]) =>
  run(clone, process.execPath, `content/${script}.ts`, `--today=${today}`, ...words)

/** The days of the content's changes. The last is `today`, so no date is in the future. */
const days = [...new Bun.Glob('content/**/*.{md,yaml}').scanSync(root)].flatMap(name =>
  [...readFileSync(path.join(root, name), 'utf8').matchAll(/^updated: '([\d-]+)'$/gm)].map(
    ([, day = '']) => day,
  ),
)
const today = days.sort().at(-1)

test('new: an article starts as a draft, and the linter counts the missing parts', async () => {
  const made = await command('new', 'article', title)
  expect([made.code, made.out.trim()]).toEqual([0, file])
  const lint = await command('checks/check')
  const found = lint.out.split('\n').filter(line => line.startsWith(file))
  expect([lint.code, found.length]).toEqual([0, 1])
  expect(found[0]).toMatch(/ {2}P-unwritten {2}warning: \d+ WRITE: placeholders must be replaced/)
})

test(
  'publish: a push with six errors, one of them a number that contradicts the contract, is rejected with six lines, and nothing changes',
  async () => {
    const [before, tip] = [await everything(), await git('--git-dir', bare, 'rev-parse', 'main')]
    const hasty = article(
      'It cures diabetes: see [the guide](/no-such-page).\n\nAnswer 2xx within 10 seconds.\n\n![](figure:retry-schedule)',
    )
      .replace(`title: ${title}`, `title: ${'A title of too many words '.repeat(4).trim()}`)
      .replace("published: '2026-11-20'", 'published: 20.11.2026')
    writeFileSync(path.join(clone, file), hasty)
    const findings = (text: string) =>
      [...text.matchAll(new RegExp(`^${file}:(\\S+)  (\\S+)  (?!warning).*→ (.*)$`, 'gm'))].map(
        hit => hit.slice(1, 3).join(' '),
      )
    const faults = ['2:8 F-length', '7:12 F-date', '23:4 C-cure', '23:24 K-dead-link']
    faults.push('25:19 N-contract', '27:1 M-alt')
    const lint = await command('checks/check')
    expect([lint.code, findings(lint.out)]).toEqual([1, faults])
    const { code, output } = await push('A hasty article')
    expect(code).not.toBe(0)
    expect(findings(output)).toEqual(faults)
    expect(output).toContain('→ 2026-11-20')
    expect(output).toContain('“10 seconds” must be 15 seconds, as the contract says')
    expect(output).toContain('The push was rejected.')
    expect(await git('--git-dir', bare, 'rev-parse', 'main')).toBe(tip)
    expect(await everything()).toEqual(before)
  },
  secondsMax * 1000,
)

test(
  'preview: a branch is served at its own host, and its errors are reported',
  async () => {
    const previews = path.join(home, 'previews')
    await git('--git-dir', bare, 'config', 'publish.previews', previews)
    const before = await everything()
    // A branch's errors are reported like main's, but the push is accepted.
    const { code, output } = await pushTo('Editors/How-refills_work')
    expect([code, output.includes(`${file}:7:12  F-date`)]).toEqual([0, true])
    expect(output).toContain("its preview wasn't built")
    expect(await everything()).toEqual(before)
    // For a branch without errors, the hook would create a builds folder like this.
    symlinkSync(sites, path.join(previews, 'refills'))
    const words = ['--previews', previews, '--port', '0']
    const child = Bun.spawn(
      [process.execPath, path.join(root, 'deploy/preview/branches.ts'), ...words],
      {
        stdout: 'pipe',
      },
    )
    const { value } = await child.stdout.getReader().read()
    const port = /:(\d+)\//.exec(new TextDecoder().decode(value))?.[1]
    const shown = (label: string, address: string) =>
      fetch(`http://127.0.0.1:${port}${address}`, { headers: { host: `${label}.localhost` } })
    const page = await shown('refills', '/')
    expect([page.status, page.headers.get('x-robots-tag')]).toEqual([200, 'noindex'])
    expect(await page.text()).toContain('<link rel="canonical" href="https://example.com/"')
    const answer = await shown('refills', '/ask?query=createCase')
    expect(await answer.text()).toContain('/docs/api/create-case')
    const none = await shown('other', '/')
    expect([none.status, await none.text()]).toEqual([404, expect.stringContaining('refills')])
    child.kill()
    await child.exited
    // Deleting a branch removes its preview.
    await git('push', '--quiet', 'origin', ':Editors/How-refills_work')
    expect(existsSync(path.join(previews, 'editors-how-refills-work'))).toBe(false)
  },
  secondsMax * 1000,
)

/** The gateway loads a new build shortly after it's published. */
const answers = (address: string, status: number): Promise<void> =>
  until(async () => (await fetch(url + address, { redirect: 'manual' })).status === status, 100)

const otherSlug = 'how-transfers-work'

test(
  'publish: a build with a dead link is not published; the other of two pushes at once merges without a conflict, and both articles appear everywhere',
  async () => {
    const before = await everything()
    const other = path.join(home, 'other')
    await run(home, 'git', 'clone', '--quiet', '--branch', 'main', bare, other)
    const refills = article('The pharmacy does.')
    writeFileSync(path.join(clone, file), refills)
    const transfers = refills.replaceAll('Refill', 'Transfer').replaceAll('refill', 'transfer')
    writeFileSync(path.join(other, `content/articles/${otherSlug}.md`), transfers)
    const notice = 'site/public/notice.txt'
    for (const folder of [clone, other]) {
      writeFileSync(path.join(folder, notice), 'Read first:\n[the notice](/no-such-notice)\n')
      await run(folder, 'git', 'add', '--all')
      await run(folder, 'git', ...who, 'commit', '--quiet', '-m', 'An article, and a notice')
    }
    const pushTip = (folder: string) => run(folder, 'git', 'push', 'origin', 'HEAD:refs/heads/main')
    const [mine, yours] = await Promise.all([pushTip(clone), pushTip(other)])
    expect([mine.code === 0, yours.code === 0].sort()).toEqual([false, true])
    const [accepted, second] = mine.code === 0 ? [mine, other] : [yours, clone]
    expect(accepted.error).toContain('notice.txt:2  /no-such-notice returns 404')
    expect(accepted.error).toMatch(/publish: FAILED; \S+ stays live/)
    // Git prints the hook's output but ignores its status: the push itself succeeded.
    expect(accepted.error).toContain("The push was accepted, but the site wasn't published.")
    expect(await everything()).toEqual(before)
    const merged = await run(second, 'git', ...who, 'pull', '--quiet', '--rebase', 'origin', 'main')
    expect([merged.code, merged.error]).toEqual([0, ''])
    await run(second, 'git', 'rm', '--quiet', notice)
    await run(second, 'git', ...who, 'commit', '--quiet', '-m', 'Without the notice')
    const late = await pushTip(second)
    expect(late.code).toBe(0)
    await git('pull', '--quiet', '--rebase', 'origin', 'main')
    for (const each of [slug, otherSlug]) {
      expect(late.error).toContain(`publish: new      /blog/${each}`)
      await answers(`/blog/${each}`, 200)
      for (const place of places.slice(0, -1)) {
        expect(await reading(place), place).toContain(`/blog/${each}`)
      }
    }
    expect(await reading(`/blog/${slug}`, 'text/html')).toContain(title)
    const markdown = await reading(`/blog/${slug}.md`)
    expect(markdown).toContain(`# ${title}`)
    expect(await reading(`/blog/${slug}`, 'text/markdown')).toBe(markdown)
    // Compared to the previous build, the list of articles changed and most pages didn't.
    const compared: { changes: { page: string; old_hash: string | null }[] } = JSON.parse(
      await reading('/changes.json'),
    )
    const changed = compared.changes.filter(({ old_hash }) => old_hash !== null)
    expect(changed.map(({ page }) => new URL(page).pathname)).toContain('/blog')
    expect(changed.length).toBeLessThan(compared.changes.length / 2)
    const answer: { results: { url: string }[] } = JSON.parse(await reading(places.at(-1) ?? ''))
    expect(answer.results[0]?.url).toEndWith(`/blog/${slug}`)
  },
  secondsMax * 1000,
)

const betterSlug = 'how-a-refill-is-decided'

test(
  'publish: a renamed page without a redirect from its old address is rejected, and --fix adds it',
  async () => {
    const better = file.replace(slug, betterSlug)
    const text = await Bun.file(path.join(clone, file)).text()
    await git('mv', file, better)
    writeFileSync(path.join(clone, better), text.replace(slug, betterSlug))
    const renamed = `${better}:3:7  F-renamed  the old URL /blog/${slug}`
    expect((await command('checks/check')).out).toContain(renamed)
    const { code, output } = await push('A better name')
    expect([code === 0, output.includes(renamed)]).toEqual([false, true])
    const fixed = await command('checks/check', '--fix')
    expect([fixed.code, fixed.out.includes('1 fixed')]).toEqual([0, true])
  },
  secondsMax * 1000,
)
