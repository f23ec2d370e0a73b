import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { downloadAddresses, lockFiles, readLockFile, withoutEngines } from './lock-file.ts'

it('each folder in which npm installs packages has a lock file', () => {
  expect(lockFiles).toContain('package-lock.json')
  expect(lockFiles).toContain('bench/baseline/package-lock.json')
})

it.each(lockFiles)('%s contains no engines of dependencies (otherwise run: node tools/write-lock-files.ts)', (name) => {
  expect(readLockFile(name)).toBe(withoutEngines(readLockFile(name)))
})

it.each(lockFiles)('%s contains no download addresses', (name) => {
  expect(downloadAddresses(readLockFile(name))).toEqual([])
})

it.each(lockFiles)('npm ci accepts %s', (name) => {
  const cwd = fileURLToPath(new URL(path.join('..', path.dirname(name)), import.meta.url))
  const { status, stderr } = spawnSync('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts'], { cwd, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
})

it('withoutEngines removes the engines of dependencies and keeps those of the project', () => {
  const packages = {
    '': { engines: { node: '>=20' } },
    'node_modules/kysely': { version: '1.0.0', engines: { node: '>=22' } },
    'packages/cli': { version: '1.0.0', engines: { node: '>=20' } },
    'packages/cli/node_modules/yaml': { version: '2.0.0', engines: { node: '>=14' } },
  }
  expect(JSON.parse(withoutEngines(JSON.stringify({ packages })))).toEqual({
    packages: {
      '': { engines: { node: '>=20' } },
      'node_modules/kysely': { version: '1.0.0' },
      'packages/cli': { version: '1.0.0', engines: { node: '>=20' } },
      'packages/cli/node_modules/yaml': { version: '2.0.0' },
    },
  })
})
