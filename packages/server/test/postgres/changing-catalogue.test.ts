import path from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { describeChangingCatalogue } from '../changing-catalogue.suite.ts'
import { s3Suite, startS3Server, s3ServerUnavailable, type S3Server } from '../s3-server.ts'
import { startServer } from '../started-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

describe.skipIf(!hasPostgres || s3ServerUnavailable !== null)(s3Suite('a changing catalogue of two processes'), () => {
  let s3: S3Server
  let shared: Record<string, string>
  beforeAll(async () => {
    s3 = await startS3Server()
    shared = {
      DATABASE_URL: await newDatabase(),
      FRAMEGATE_SEAL_KEY: Buffer.alloc(32, 7).toString('base64'),
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: s3.newBucket().bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    }
  })
  afterAll(() => s3[Symbol.asyncDispose]())

  describeChangingCatalogue('PostgreSQL', {
    processes: 2,
    start: (index, environment) =>
      startServer(path.join(path.dirname(environment['FRAMEGATE_CONFIG'] ?? ''), `data-${index}`), { ...environment, ...shared }),
  })
})
