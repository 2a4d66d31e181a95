// Whether the types refuse a fault. A checker that stays open answers within a tenth of a second;
// starting `tsc` for each fault would take longer than most tests.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { API } from 'typescript/unstable/async'
import type { Fault } from './files.ts'

export class TypeCheck {
  private api: API | undefined

  constructor(private readonly folder: string) {}

  /** Whether the file, which has the fault now, has errors. Its importers are not checked. */
  async refuses({ file, kind }: Fault): Promise<boolean> {
    const settings = path.join(this.folder, 'tsconfig.json')
    // To the types, the text of a statement is a string.
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

  /** The file has its own text again. */
  async restored({ file }: Fault): Promise<void> {
    await this.api?.updateSnapshot({ fileChanges: { changed: [path.join(this.folder, file)] } })
  }

  async close(): Promise<void> {
    await this.api?.close()
  }
}
