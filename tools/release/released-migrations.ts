import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** SHA-256 digests of migrations, by engine and file name. */
export type Digests = Readonly<Record<string, string>>

/** Digests of the migrations that each version added, by version. */
export type ReleasedMigrations = Readonly<Record<string, Digests>>

const folder = new URL('../../packages/server/migrations/', import.meta.url)
export const releasedFile = new URL('released-migrations.json', import.meta.url)

export function readReleasedMigrations(): ReleasedMigrations {
  return JSON.parse(readFileSync(releasedFile, 'utf8')) as ReleasedMigrations
}

/** Returns the digests of the migrations in this checkout. */
export function digestMigrations(): Digests {
  const files = ['postgres', 'sqlite'].flatMap((engine) =>
    readdirSync(new URL(`${engine}/`, folder))
      .toSorted()
      .map((name) => `${engine}/${name}`),
  )
  return Object.fromEntries(
    files.map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(new URL(file, folder)))
        .digest('hex'),
    ]),
  )
}

/** Returns one sentence for each released migration that was edited or removed. */
export function findEditedMigrations(released: ReleasedMigrations, current: Digests): string[] {
  return Object.entries(released).flatMap(([version, digests]) =>
    Object.entries(digests)
      .filter(([file, digest]) => current[file] !== digest)
      .map(
        ([file]) =>
          `${file} was released with ${version} and has been ${file in current ? 'edited' : 'removed'}; add a migration instead.`,
      ),
  )
}

/** Returns the migrations that no version has released. */
export function unreleasedMigrations(released: ReleasedMigrations, current: Digests): Digests {
  const releasedFiles = new Set(Object.values(released).flatMap((digests) => Object.keys(digests)))
  return Object.fromEntries(Object.entries(current).filter(([file]) => !releasedFiles.has(file)))
}
