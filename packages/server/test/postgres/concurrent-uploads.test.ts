import { hash } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUploads } from '../../src/assets/uploads/uploads.ts'
import type { AssetQuota } from '../../src/assets/asset-rows.ts'
import { storeAsset } from '../../src/assets/store-asset.ts'
import type { PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { newAccount } from '../../src/db/store-under-test.ts'
import { createIds } from '../../src/identity/task-id.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openTestStore } from './open-test-store.ts'
import { rowsOf } from './postgres-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'
import { untilWaiting } from './until-waiting.ts'

const sizeBytes = 10

describe.runIf(hasPostgres)('the asset quota with two processes', () => {
  let url: string
  let stores: PostgresStore[]
  let accountNo: number

  beforeEach(async () => {
    url = await newDatabase()
    stores = [await openTestStore(url), await openTestStore(url)]
    accountNo = await newAccount(stores[0]!, 'acct', 0)
    // An insert waits here after it has checked the quota.
    await rowsOf(
      url,
      `create function wait_until_unlocked() returns trigger language plpgsql as $$
       begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
       create trigger assets_wait before insert on assets for each row execute function wait_until_unlocked();
       create trigger uploads_wait before insert on uploads for each row execute function wait_until_unlocked()`,
    )
  })
  afterEach(async () => {
    for (const store of stores) await store[Symbol.asyncDispose]()
  })

  /** Runs the requests so that each checks the quota before another one has inserted its row. */
  async function runTogether(send: (store: PostgresStore, index: number) => Promise<unknown>): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query('select pg_advisory_lock(1)')
      const results = Promise.allSettled(stores.map(send))
      await untilWaiting(client, stores.length)
      await client.query('select pg_advisory_unlock(1)')
      return (await results)
        .filter(({ status }) => status === 'rejected')
        .map((result) => (result as PromiseRejectedResult).reason)
    } finally {
      await client.end()
    }
  }

  function storeFile({ database }: PostgresStore, sha256: string, quota: AssetQuota) {
    const file = { path: import.meta.filename, sizeBytes, sha256, [Symbol.asyncDispose]: async () => {} }
    const facts = { width: 1, height: 1, duration_ms: null, frames_per_second: null, codecs: null, has_audio: 0 }
    return storeAsset(
      {
        database,
        mediaStore: { put: async () => ({ sizeBytes, sha256 }), remove: async () => {} },
        inspectFile: async () => ({ content_type: 'image/png', ...facts }),
        quota,
        nextAssetId: createIds('asset_', systemClock),
        clock: systemClock,
      },
      { accountNo, file, name: null, param: 'file' },
    )
  }

  const rejection = { code: 'asset_quota_exceeded', message: expect.stringContaining('limit is') }

  it.each([
    ['assets', { assetsMax: 1, bytesMax: 1_000 }],
    ['bytes', { assetsMax: 9, bytesMax: sizeBytes + 1 }],
  ])('concurrent uploads of files never exceed the quota of %s', async (_name, quota) => {
    const errors = await runTogether((store, index) => storeFile(store, hash('sha256', String(index)), quota))
    expect(errors).toMatchObject(errors.map(() => rejection))
    const rows = await rowsOf(url, 'select from assets')
    expect([errors.length + rows.length, rows.length]).toEqual([2, expect.toSatisfy((count: number) => count <= 1)])
  })

  it('a rejected upload leaves an asset that another process has stored with the same bytes', async () => {
    // At the moment of the insert, another process stores these bytes, and a different file.
    await rowsOf(
      url,
      `create function store_too() returns trigger language plpgsql as $$
       begin
         update assets set stored_at = 1 where no = new.no;
         insert into assets (id, account_no, content_type, size_bytes, sha256, width, height, created_at, stored_at)
         values ('asset_other', new.account_no, 'image/png', 1, 'other', 1, 1, 1, 1);
         return null;
       end $$;
       create trigger assets_inserted after insert on assets for each row when (pg_trigger_depth() = 0) execute function store_too()`,
    )
    const upload = storeFile(stores[0]!, hash('sha256', ''), { assetsMax: 1, bytesMax: 1_000 })
    await expect(upload).rejects.toMatchObject(rejection)
    expect(await rowsOf(url, 'select from assets')).toHaveLength(2)
  })

  it('concurrent resumable uploads never exceed the quota', async () => {
    const errors = await runTogether(({ database }) => {
      const unused = {} as never
      const uploads = createUploads({
        database,
        mediaStore: unused,
        receiver: unused,
        store: unused,
        quota: { assetsMax: 1, bytesMax: 1_000 },
        clock: systemClock,
        expiryClock: systemClock,
      })
      return uploads.create(accountNo, { size_bytes: sizeBytes, metadata: null, name: null, sha256: null })
    })
    expect(errors).toMatchObject(errors.map(() => rejection))
    const rows = await rowsOf(url, 'select from uploads')
    expect([errors.length + rows.length, rows.length]).toEqual([2, expect.toSatisfy((count: number) => count <= 1)])
  })
})
