export interface ReleaseState {
  /** Versions of the packages to publish. */
  versions: readonly string[]
  changeLog: string
  /** The output of `git status --porcelain`. */
  workingTreeStatus: string
  /** The option `--out`. */
  out: string | undefined
  /** Migrations that `tools/record-migrations.ts` has not recorded. */
  unrecordedMigrations: readonly string[]
}

/** Returns the reasons why a release is not possible, one sentence each. */
export function findReleaseErrors({ versions, changeLog, workingTreeStatus, out, unrecordedMigrations }: ReleaseState): string[] {
  const [version = ''] = versions
  return [
    ...(out === undefined ? ['The folder for the release is missing: npm run release -- --out FOLDER'] : []),
    ...(new Set(versions).size > 1 ? [`The packages have different versions: ${versions.join(', ')}.`] : []),
    ...(workingTreeStatus === '' ? [] : ['The working tree has changes; commit or remove them first.']),
    ...(notesOf(changeLog, version) === null ? [`CHANGELOG.md has no section "## ${version}"; rename "## Unreleased".`] : []),
    ...(unrecordedMigrations.length === 0
      ? []
      : [`Migrations are not recorded (node tools/record-migrations.ts): ${unrecordedMigrations.join(', ')}.`]),
  ]
}

/**
 * Returns the section of a version in the change log, without its heading. Null if there is none.
 */
export function notesOf(changeLog: string, version: string): string | null {
  const sections = changeLog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.slice(0, text.indexOf('\n')).split(' ')[0] === version)
  return section === undefined ? null : `${section.slice(section.indexOf('\n') + 1).trim()}\n`
}
