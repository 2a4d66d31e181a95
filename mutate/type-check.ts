// Checks whether the types reject a fault. A checker that stays open responds within a tenth of a
// second, while starting `tsc` for each fault would take longer than most tests.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { API } from 'typescript/unstable/async'
import type { Fault } from './files.ts'

export class TypeCheck {
  private api: API | undefined

  constructor(private readonly folder: string) {}

  /** Whether the file has type errors with the fault in place. Its importers aren't checked. */
  async refuses({ file, kind }: Fault): Promise<boolean> {
    const settings = path.join(this.folder, 'tsconfig.json')
    // To the type checker, a statement's text is only a string.
    if (kind.startsWith('sql') || !existsSync(settings)) return false
    const changed = path.join(this.folder, file)
    const isFirst = this.api === undefined
    this.api ??= new API({ cwd: this.folder })
    const snapshot = await this.api.updateSnapshot(
      isFirst ? { openProjects: [settings] } : { fileChanges: { changed: [changed] } },
    )
    const errors = await snapshot.getProjects()[0]?.program.getSemanticDiagnostics(changed)
    return errors !== undefined && errors.length > 0
  }

  /** Must be called once the file has its original text again. */
  async restored({ file }: Fault): Promise<void> {
    await this.api?.updateSnapshot({ fileChanges: { changed: [path.join(this.folder, file)] } })
  }

  async close(): Promise<void> {
    await this.api?.close()
  }
}
