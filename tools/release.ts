import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { digestMigrations, readReleasedMigrations, unreleasedMigrations } from './release/released-migrations.ts'
import { findReleaseErrors, notesOf } from './release/release-notes.ts'

/**
 * Prepares a release: checks, tests, packs, and writes the release notes from the change log. Two
 * manual steps remain: publish the files in the folder, and set the tag.
 *
 *   npm run release -- --out FOLDER
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { out: { type: 'string' } } })
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const versions = ['cli', 'sdk', 'ai-sdk-provider'].map(
  (workspace) => (JSON.parse(read(`packages/${workspace}/package.json`)) as { version: string }).version,
)
const workingTreeStatus = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
const unrecordedMigrations = Object.keys(unreleasedMigrations(readReleasedMigrations(), digestMigrations()))
const errors = findReleaseErrors({
  versions,
  changeLog: read('CHANGELOG.md'),
  workingTreeStatus,
  out: values.out,
  unrecordedMigrations,
})

if (errors.length > 0 || values.out === undefined) {
  for (const error of errors) console.error(error)
  process.exitCode = 2
} else {
  const outputFolder = path.resolve(process.env['INIT_CWD'] ?? '.', values.out)
  mkdirSync(outputFolder, { recursive: true })
  for (const args of [['run', 'check'], ['test'], ['run', 'pack', '--', '--out', outputFolder]]) {
    console.log(`\n> npm ${args.join(' ')}`)
    execFileSync('npm', args, { cwd: root, stdio: 'inherit' })
  }
  const [version = ''] = versions
  writeFileSync(path.join(outputFolder, `notes-${version}.md`), notesOf(read('CHANGELOG.md'), version) ?? '')
  console.log(`\nVersion ${version} is ready in ${outputFolder}: npm publish each tarball, and git tag v${version}.`)
}
