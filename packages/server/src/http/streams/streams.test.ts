import fastify from 'fastify'
import { expect, it } from 'vitest'
import type { Principal } from '../../auth/principal.ts'
import { createLogger } from '../../lib/logger.ts'
import { Streams } from './streams.ts'

const principal = { accountNo: 1, keyNo: 1, brandNo: 1, scopes: new Set(['tasks:read']) } as unknown as Principal

it('a stream whose headers cannot be sent occupies no slot, and its connection is closed', async () => {
  await using app = fastify()
  const dependencies = { keys: undefined as never, brands: { all: () => [] }, logger: createLogger('silent') }
  using streams = new Streams(dependencies, 24)
  let failsToBegin = true
  app.decorateRequest('principal', null)
  app.get('/', (request, reply) => {
    request.principal = principal
    if (failsToBegin) {
      reply.raw.writeHead = () => {
        throw new Error('the headers are not valid')
      }
    }
    streams.start(request, reply, async (stream) => stream.sendPosition('1'))
    return reply
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  for (let i = 0; i < 30; i++) await expect(fetch(url)).rejects.toThrow('fetch failed')
  failsToBegin = false
  expect(await (await fetch(url)).text()).toContain('id: 1')
  expect(streams.open).toBe(0)
})
