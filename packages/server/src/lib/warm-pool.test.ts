import { expect, it } from 'vitest'
import { WarmPool, type PoolMember } from './warm-pool.ts'

/** A member whose work fails when it is closed. */
class ClosableMember implements PoolMember {
  readonly #closed = Promise.withResolvers<never>()
  isDead = false

  work(): Promise<never> {
    return this.#closed.promise
  }

  async close(): Promise<void> {
    this.isDead = true
    this.#closed.reject(new Error('closed'))
    await this.#closed.promise.catch(() => {})
  }
}

const { signal } = new AbortController()
const openPool = () => new WarmPool({ open: () => new ClosableMember(), membersMax: 1, usesMax: 10, idleMsMax: 1_000 })

it('use returns undefined if the pool is closed during the work, even if the work then fails', async () => {
  const pool = openPool()
  const result = pool.use(signal, (member) => member.work())
  const queuedResult = pool.use(signal, async () => 'later')
  await new Promise(setImmediate)
  await pool.close()
  expect(await result).toBeUndefined()
  expect(await queuedResult).toBeUndefined()
})

it('use rejects with the error of work that fails in an open pool', async () => {
  const pool = openPool()
  await expect(pool.use(signal, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await pool.use(signal, async () => 'next')).toBe('next')
  await pool.close()
})
