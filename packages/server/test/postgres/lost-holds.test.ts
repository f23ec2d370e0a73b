import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { chatModel, hello, openChatService, readLastEntry, waitForBalance, type ChatService } from '../chat/chat-service.ts'
import { testEngine } from '../test-engine.ts'
import { openEmptyStore } from './emptied-databases.ts'
import { hasPostgres } from './test-database.ts'

/** The number of times that the store sends a hold whose connection is lost. */
const attemptsMax = 3

describe.runIf(hasPostgres)('a hold on PostgreSQL whose result is lost', () => {
  let store: PostgresStore
  let chat: ChatService
  beforeEach(async () => {
    testEngine.open = async (_dataDir, clock) => (store = await openEmptyStore(clock))
    chat = await openChatService({ forwardLimits: { sweepMs: 100 } })
  })
  afterEach(() => chat[Symbol.asyncDispose]())

  it('a chat request whose hold is committed, but whose connection is lost at every retry, fails with 503, and its credits and slots are released', async () => {
    const { service } = chat
    const { key } = await service.newAccount(100)
    const loss = loseResults(store, attemptsMax)
    const response = await service.request('POST', '/v1/chat/completions', { key, body: { model: chatModel, messages: hello } })
    expect(loss.left).toBe(0)
    expect(response.status).toBe(503)
    expect(await waitForBalance(service, key)).toBe(100)
    expect(await readLastEntry(service, key)).toMatchObject({ kind: 'release' })
    const open = await store.database.selectFrom('forwarded_requests').select('no').where('ended_at', 'is', null).execute()
    expect(open).toEqual([])
    expect(chat.upstream.received).toEqual([])
  })
})

/** Breaks the connection of the next `count` writes after their commits, before their results. */
function loseResults({ writer }: PostgresStore, count: number): { left: number } {
  const loss = { left: count }
  const run = writer.run.bind(writer)
  writer.run = (work) =>
    run(async (client) => {
      const result = await work(client)
      if (loss.left === 0) return result
      loss.left -= 1
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    })
  return loss
}
