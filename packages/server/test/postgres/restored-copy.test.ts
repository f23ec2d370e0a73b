import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { describe, expect } from 'vitest'
import { describeRestoredCopy, type Installation } from '../upstreams/restored-copy.suite.ts'
import { findPostgresPrograms } from './postgres-server.ts'
import { hasPostgres, newDatabase, newUnmigratedDatabase } from './test-database.ts'

describe.runIf(hasPostgres)('on PostgreSQL', () => {
  describeRestoredCopy({
    name: 'pg_dump, and started with --restored',
    async create(folder): Promise<Installation> {
      return { dataDir: path.join(folder, 'data'), environment: { DATABASE_URL: await newDatabase() }, options: [] }
    },
    async copy({ dataDir, environment }, folder) {
      const programs = findPostgresPrograms()
      expect(programs).toBeDefined()
      const [dump, url] = [path.join(folder, 'framegate.dump'), await newUnmigratedDatabase()]
      run('pg_dump', '--format=custom', `--file=${dump}`, environment['DATABASE_URL'] ?? '')
      run('pg_restore', '--no-owner', `--dbname=${url}`, dump)
      const target = path.join(folder, 'copy')
      cpSync(path.join(dataDir, 'seal.key'), path.join(target, 'seal.key'))
      return { dataDir: target, environment: { DATABASE_URL: url }, options: ['--restored'] }

      function run(program: string, ...args: string[]): void {
        execFileSync(path.join(programs ?? '', program), args, { stdio: ['ignore', 'ignore', 'inherit'] })
      }
    },
  })
})
