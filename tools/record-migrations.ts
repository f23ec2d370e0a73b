import { readFileSync, writeFileSync } from 'node:fs'
import { digestMigrations, readReleasedMigrations, releasedFile, unreleasedMigrations } from './release/released-migrations.ts'

// Records all unreleased migrations under the version in packages/cli/package.json. From then on, a
// test fails if one of them is edited.
//   node tools/record-migrations.ts
const { version } = JSON.parse(readFileSync(new URL('../packages/cli/package.json', import.meta.url), 'utf8')) as {
  version: string
}
const released = readReleasedMigrations()
const added = unreleasedMigrations(released, digestMigrations())
const updatedMigrations = { ...released, [version]: { ...released[version], ...added } }
writeFileSync(releasedFile, `${JSON.stringify(updatedMigrations, null, 2)}\n`)
console.log(`${Object.keys(added).length} migrations are recorded for ${version}.`)
