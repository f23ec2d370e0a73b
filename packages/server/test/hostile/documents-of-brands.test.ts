import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { openHttpService, type HttpService } from '../http-service.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Maximum number of documents in the generation queue. */
const waitingMax = 16
const brandCount = isLongRun ? 60 : 24
/** Limit of the CPU time for generating the documents of all brands, and for reading them twice. */
const cpuSecondsMax = brandCount / 4

let service: HttpService
beforeEach(async () => {
  service = await openHttpService()
  for (let n = 0; n < brandCount; n++) {
    await service.brands.createBrand({ name: `Studio ${n}`, hosts: [hostOf(n)] })
  }
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

const hostOf = (n: number): string => `studio-${n}.example.com`
const documentPath = '/openapi.json'

function readDocument(n: number) {
  return service.request('GET', documentPath, { key: null, host: hostOf(n) })
}

async function retryWhileUnavailable(n: number) {
  for (;;) {
    const response = await readDocument(n)
    if (response.status === 200) return response
    await sleep(100)
  }
}

/** Returns the CPU time of all threads of this process. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Sends a request without reading the response. */
async function send(n: number): Promise<Socket> {
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  socket.write(`GET ${new URL(service.baseUrl).pathname}${documentPath} HTTP/1.1\r\nHost: ${hostOf(n)}\r\n\r\n`)
  return socket
}

describe('the OpenAPI documents of many brands', () => {
  it(`generating the documents of ${brandCount} brands takes less than ${cpuSecondsMax} s of CPU time, and a repeated request returns the same document`, async () => {
    const startedAt = cpuSeconds()
    const firstResponses = []
    for (let n = 0; n < brandCount; n++) firstResponses.push(await retryWhileUnavailable(n))
    const generationSeconds = cpuSeconds() - startedAt
    const repeatedResponses = []
    for (let round = 0; round < 2; round++) for (let n = 0; n < brandCount; n++) repeatedResponses.push(await readDocument(n))
    const repeatedSeconds = cpuSeconds() - startedAt - generationSeconds
    expect(firstResponses.map(({ json }) => json.info.title)).toEqual(Array.from({ length: brandCount }, (_, n) => `Studio ${n}`))
    expect(repeatedResponses.map(({ headers }) => headers.get('etag'))).toEqual(
      [...firstResponses, ...firstResponses].map(({ headers }) => headers.get('etag')),
    )
    expect({ generationSeconds, repeatedSeconds }).toEqual({
      generationSeconds: expect.toSatisfy(isBelowLimit),
      repeatedSeconds: expect.toSatisfy(isBelowLimit),
    })
  })

  it('a request for a document gets 503 and Retry-After when the generation queue is full', async () => {
    const responses = await Promise.all(Array.from({ length: brandCount }, (_, n) => readDocument(n)))
    const refused = responses.filter(({ status }) => status !== 200)
    expect(brandCount - refused.length).toBeGreaterThanOrEqual(waitingMax)
    expect(refused).not.toEqual([])
    for (const { status, headers, json } of refused) {
      expect([status, headers.get('retry-after'), json.error.code]).toEqual([503, '5', 'overloaded'])
    }
  })

  it('clients that wait for the same document take only one slot of the generation queue', async () => {
    const responses = await Promise.all(Array.from({ length: 100 }, (_, n) => readDocument(n % 2)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('clients that have disconnected leave the generation queue', async () => {
    const [first, ...waiting] = await Promise.all(Array.from({ length: waitingMax + 1 }, (_, n) => send(n)))
    await sleep(100)
    for (const socket of waiting) socket.destroy()
    await sleep(100)
    const otherReads = await Promise.all(Array.from({ length: waitingMax - 1 }, (_, n) => readDocument(waitingMax + 1 + n)))
    expect(new Set(otherReads.map(({ status }) => status))).toEqual(new Set([200]))
    first?.destroy()
  })

  it('a document changes when a price of its brand is set', async () => {
    const documentBefore = await readDocument(0)
    const brand = service.brands.ofHost(hostOf(0))
    await service.prices.setPrice({ model: 'imgA-5.0', brandNo: brand.no, price: { unit: 'image', credits: { '*': 0.77 } } })
    const documentAfter = await readDocument(0)
    expect(documentAfter.json.components.schemas.imgA_5_0.description).toContain('0.77')
    expect(documentAfter.headers.get('etag')).not.toBe(documentBefore.headers.get('etag'))
  })
})

function isBelowLimit(seconds: number): boolean {
  return seconds < cpuSecondsMax
}
