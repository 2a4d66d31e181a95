// Writes the manifests with which Homebrew and Scoop install the executables by URL and hash.

import config from '#content/site.config.ts'

/** The runtime's package for each target. An archive's name contains its target. */
export const targets = {
  'linux-x64': 'bun-linux-x64',
  'linux-arm64': 'bun-linux-aarch64',
  'macos-x64': 'bun-darwin-x64',
  'macos-arm64': 'bun-darwin-aarch64',
  'windows-x64': 'bun-windows-x64',
  'windows-arm64': 'bun-windows-aarch64',
} as const

export type Target = keyof typeof targets

export type Packed = { readonly target: Target; readonly name: string; readonly hash: string }

type About = { readonly version: string; readonly license: string }

const description = 'Command line for the clinical API'

/** A Homebrew formula for the packed targets. */
export function formula(all: readonly Packed[], from: string, { version, license }: About): string {
  const source = (target: Target, cpu: string) => {
    const found = all.find(one => one.target === target)
    return found === undefined
      ? ''
      : `    on_${cpu} do
      url "${from}/${found.name}"
      sha256 "${found.hash}"
    end
`
  }
  const system = (name: 'macos' | 'linux') => `  on_${name} do
${source(`${name}-arm64`, 'arm')}${source(`${name}-x64`, 'intel')}  end
`
  return `class Svc < Formula
  desc "${description}"
  homepage "${config.site}/docs/cli"
  version "${version}"
  license "${license}"

${system('macos')}
${system('linux')}
  def install
    bin.install "svc"
    generate_completions_from_executable(bin/"svc", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/svc --version")
  end
end
`
}

/** A Scoop manifest. */
export function scoopManifest(
  all: readonly Packed[],
  from: string,
  { version, license }: About,
): string {
  const sources = (['windows-x64', 'windows-arm64'] as const).flatMap(target => {
    const found = all.find(one => one.target === target)
    const cpu = target === 'windows-x64' ? '64bit' : 'arm64'
    return found ? [[cpu, { url: `${from}/${found.name}`, hash: found.hash }] as const] : []
  })
  const manifest = {
    version,
    description,
    homepage: `${config.site}/docs/cli`,
    license,
    architecture: Object.fromEntries(sources),
    bin: 'svc.exe',
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
