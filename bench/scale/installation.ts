import pg from 'pg'
import type { ServiceOptions } from '../http/measured-service.ts'
import { BenchProcess } from '../http/bench-process.ts'
import { createDatabase, findPostgresPrograms, startPostgresServer } from '../../packages/server/test/postgres/postgres-server.ts'
import { startS3Server, s3ServerUnavailable } from '../../packages/server/test/s3-server.ts'

/** Settings of PostgreSQL for a small dedicated machine. Durability is on. */
const postgresSettings = ['shared_buffers=1GB', 'effective_cache_size=4GB', 'max_wal_size=8GB', 'checkpoint_timeout=15min']

/** A PostgreSQL server and an S3 server, for any number of service processes. */
export interface Installation extends AsyncDisposable {
  newDatabase(name: string): Promise<Database>
}

export interface Database {
  url: string
  client: pg.Client
  startService(role: 'api' | 'worker' | 'all', options: Omit<ServiceOptions, 'settings'>): Promise<BenchProcess>
  close(): Promise<void>
}

export async function startInstallation(): Promise<Installation> {
  const programs = findPostgresPrograms()
  if (programs === undefined) throw new Error('this bench needs a PostgreSQL server (Debian: apt-get install postgresql)')
  if (s3ServerUnavailable !== null) throw new Error(`this bench needs an S3 server: ${s3ServerUnavailable}`)
  const postgres = await startPostgresServer(programs, { settings: postgresSettings })
  const s3 = await startS3Server()
  return {
    async newDatabase(name) {
      const url = await createDatabase(postgres.url, name)
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const settings = {
        DATABASE_URL: url,
        FRAMEGATE_SEAL_KEY: Buffer.alloc(32, 1).toString('base64'),
        S3_ENDPOINT: s3.endpoint,
        S3_BUCKET: s3.newBucket().bucket,
        S3_ACCESS_KEY_ID: s3.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      }
      return {
        url,
        client,
        startService: (role, options) =>
          BenchProcess.start('measured-service.ts', { ...options, settings: { ...settings, FRAMEGATE_ROLE: role } }),
        close: () => client.end(),
      }
    },
    async [Symbol.asyncDispose]() {
      await s3[Symbol.asyncDispose]()
      await postgres.remove()
    },
  }
}
