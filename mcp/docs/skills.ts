// The site's skills on tool servers (SEP-2640): each SKILL.md in the build is a resource, and its
// entry states the digest and size of its bytes.

import { bookingSkill } from '#contract/mcp/servers.ts'
import type { CacheHint, Resource, ResourceRead, Skill, ToolSource } from '../protocol/source.ts'

const indexPath = '/.well-known/agent-skills/index.json'
const markdown = 'text/markdown'

const annotations = { audience: ['assistant'], priority: 0.5 } as const

type SkillFile = { readonly skill: Skill; readonly text: string }

export type Skills = {
  readonly entries: readonly Skill[]
  /** The skills in `resources/list`. */
  readonly resources: readonly Resource[]
  /** Undefined if the URI is not a skill's. */
  read(uri: string): ResourceRead | undefined
}

/** All skills, for servers with booking tools, and the skills for other servers. */
export type BuildSkills = { readonly all: Skills; readonly reading: Skills }

/** `read` returns a file from the build. */
export function openSkills(read: (path: string) => string | undefined): BuildSkills {
  const index = JSON.parse(read(indexPath) ?? '{"skills":[]}') as {
    skills: readonly { name: string; url: string }[]
  }
  const files = index.skills.flatMap(({ name, url }): SkillFile[] => {
    const text = read(url)
    return text === undefined ? [] : [{ skill: entryOf(name, text), text }]
  })
  const reading = files.filter(({ skill }) => skill.frontmatter.name !== bookingSkill)
  return { all: skillsOf(files), reading: skillsOf(reading) }
}

function skillsOf(files: readonly SkillFile[]): Skills {
  const byUri = new Map(files.map(file => [file.skill.uri, file]))
  return {
    entries: files.map(({ skill }) => skill),
    resources: files.map(({ skill: { uri, frontmatter }, text }) => {
      const { name, description } = frontmatter
      const title = `Skill: ${name.replaceAll('-', ' ')}`
      const size = Buffer.byteLength(text)
      return { uri, name, title, description, mimeType: markdown, size, annotations }
    }),
    read(uri) {
      const file = byUri.get(uri)
      return file && { contents: [{ uri, mimeType: markdown, text: file.text }] }
    },
  }
}

/** A skill's entry: its front matter unchanged, and the digest of the whole file. */
function entryOf(name: string, text: string): Skill {
  const uri = `skill://${name}/SKILL.md`
  const frontmatter = Bun.YAML.parse(/^---\n(.*?)\n---\n/s.exec(text)?.[1] ?? '')
  const digest = `sha256:${new Bun.CryptoHasher('sha256').update(text).digest('hex')}`
  return {
    uri,
    frontmatter: frontmatter as Skill['frontmatter'],
    resources: [{ uri, digest, size: Buffer.byteLength(text) }],
  }
}

const noResource = 'No resource has this URI. resources/list has them all.'

/** The resources of a server that has only skills. */
export const onlySkills = (
  skills: () => Skills,
  cache: CacheHint,
): Pick<ToolSource, 'resources' | 'skills'> => ({
  resources: {
    cache,
    list: async () => skills().resources,
    templates: async () => [],
    read: async (_call, uri) => skills().read(uri) ?? { contents: null, message: noResource },
  },
  skills: { cache, entries: () => skills().entries },
})
