import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAccount } from '../../src/auth/accounts.ts'
import { firstBrandId } from '../../src/brands/brand.ts'
import { insertBrand } from '../../src/brands/change-brands.ts'
import { InvalidBrand } from '../../src/brands/invalid-brand.ts'
import type { PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { openTestStore } from './open-test-store.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const requestsPerProcess = 8

describe.runIf(hasPostgres)('operators of two processes', () => {
  let stores: PostgresStore[]

  beforeEach(async () => {
    const url = await newDatabase()
    stores = [await openTestStore(url), await openTestStore(url)]
    const firstBrand = { id: firstBrandId, name: 'First', created_at: 0 }
    await stores[0]!.database.insertInto('brands').values(firstBrand).execute()
  })
  afterEach(async () => {
    for (const store of stores) await store[Symbol.asyncDispose]()
  })

  const inBoth = <T>(send: (store: PostgresStore) => Promise<T>): Promise<T[]> =>
    Promise.all(stores.flatMap((store) => Array.from({ length: requestsPerProcess }, () => send(store))))

  it('concurrent requests for an account of the same name create one account', async () => {
    const { database } = stores[0]!
    await insertBrand(stores[0]!, { name: 'Studio', hosts: [] }, Date.now())
    const { no: brandNo } = await database
      .selectFrom('brands')
      .select('no')
      .where('name', '=', 'Studio')
      .executeTakeFirstOrThrow()
    const created = await inBoth((store) => createAccount(store, { brandNo, name: 'Studio' }, Date.now()))
    const rows = await database.selectFrom('accounts').select('id').where('name', '=', 'Studio').execute()
    expect(rows).toHaveLength(1)
    expect(new Set(created.map(({ id }) => id))).toEqual(new Set([rows[0]?.id]))
  })

  it('concurrent requests for a brand of the same name create one brand', async () => {
    const created = await inBoth((store) => insertBrand(store, { name: 'Studio', hosts: ['studio.example.com'] }, Date.now()))
    const rows = await stores[0]!.database.selectFrom('brands').select('id').where('name', '=', 'Studio').execute()
    expect(rows).toHaveLength(1)
    expect(new Set(created.map(({ id }) => id))).toEqual(new Set([rows[0]?.id]))
    expect(created.filter(({ isNew }) => isNew)).toHaveLength(1)
  })

  it('concurrent requests for brands with the same host get an error that names the host', async () => {
    const host = 'studio.example.com'
    let brandCount = 0
    const results = await inBoth((store) =>
      insertBrand(store, { name: `Studio ${++brandCount}`, hosts: [host] }, Date.now()).catch((error: unknown) => error),
    )
    const errors = results.filter((result) => result instanceof Error)
    expect(errors).toHaveLength(results.length - 1)
    for (const error of errors) {
      expect(error).toBeInstanceOf(InvalidBrand)
      expect(String(error)).toContain(`The host ${host} already belongs to the brand`)
    }
  })
})
