import { expect, it } from 'vitest'
import { findReleaseErrors, notesOf } from './release-notes.ts'

const changeLog = `# Change log

## Unreleased

## 0.2.0 (2026-12-01)

### Added

- A thing.

## 0.1.0

- The first one.
`
const releasableState = {
  versions: ['0.2.0', '0.2.0'],
  changeLog,
  workingTreeStatus: '',
  out: 'folder',
  unrecordedMigrations: [],
}

it('the notes of a version are its section of the change log', () => {
  expect(notesOf(changeLog, '0.2.0')).toBe('### Added\n\n- A thing.\n')
  expect(notesOf(changeLog, '0.1.0')).toBe('- The first one.\n')
  expect(notesOf(changeLog, '0.2')).toBe(null)
})

it('a release is rejected without an output folder, a common version, a clean working tree, notes or recorded migrations', () => {
  expect(findReleaseErrors(releasableState)).toEqual([])
  expect(
    findReleaseErrors({ ...releasableState, versions: ['0.3.0', '0.2.0'], workingTreeStatus: ' M README.md\n', out: undefined }),
  ).toEqual([
    'The folder for the release is missing: npm run release -- --out FOLDER',
    'The packages have different versions: 0.3.0, 0.2.0.',
    'The working tree has changes; commit or remove them first.',
    'CHANGELOG.md has no section "## 0.3.0"; rename "## Unreleased".',
  ])
  expect(findReleaseErrors({ ...releasableState, unrecordedMigrations: ['sqlite/0006-c.sql'] })).toEqual([
    'Migrations are not recorded (node tools/record-migrations.ts): sqlite/0006-c.sql.',
  ])
})
