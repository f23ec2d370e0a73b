import { renameSync, writeFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { falDriver } from '../../src/drivers/fal/fal-driver.ts'
import { openRestartableService, type RestartableService, type ServiceOptions } from './restartable-service.ts'
import { falKey, falProtocol } from './fal.protocol.ts'
import type { Fault, Protocol } from './simulator.ts'

const resultCount = 3
const pricePerResult = 2
/** Matches the URLs whose files are not images. Null: all files are images. */
let brokenUrls: RegExp | null = null
/** Callback before the response to a file request. */
let beforeFileResponse: (address: string) => void = () => {}
const protocol: Protocol = {
  ...falProtocol,
  async respond(request, stage, simulator) {
    const response = await falProtocol.respond(request, stage, simulator)
    if (stage !== 'result') return response
    beforeFileResponse(request.url.href)
    return brokenUrls?.test(request.url.href) === true ? { ...response, bytes: Buffer.from('<html>no image</html>') } : response
  },
}
const spec = { driver: falDriver, protocol, credential: falKey, target: { model: 'fal-ai/flux/dev' } }
const body = {
  parameters: { prompt: 'a tin robot', n: resultCount },
  request: { object: 'image', size: { width: 64, height: 64 } },
} as const

/**
 * Defines tests of tasks with several results and faults between two of them: a task delivers and
 * charges every usable result once, or none if it is cancelled, and leaves no other file.
 */
export function describeSeveralResults(openStore: ServiceOptions['openStore']): void {
  describe('a task with several results', () => {
    let service: RestartableService
    beforeEach(async () => {
      brokenUrls = null
      beforeFileResponse = () => {}
      const facts = {
        resultsMax: () => resultCount,
        charge: (_parameters: object, produced: readonly unknown[]) => pricePerResult * produced.length,
      }
      service = await openRestartableService(spec, body, { facts, ...(openStore && { openStore }) })
    })
    afterEach(() => service[Symbol.asyncDispose]())

    /** Injects a fault into the request for the file at this position, counted from 1. */
    function injectFault(position: number, fault: Fault): void {
      for (let before = 1; before < position; before++) service.simulator.next('result', 'none')
      service.simulator.next('result', fault)
    }
    const countResultRequests = () => service.simulator.of('result').length
    const countResultRows = async () => (await service.store.database.selectFrom('results').select('position').execute()).length

    async function expectDelivered(id: string, names: readonly string[]): Promise<void> {
      const task = await service.endOf(id)
      expect(task).toMatchObject({ status: 'completed', chargedMicroCredits: pricePerResult * names.length })
      expect(task?.results.map(({ objectKey }) => objectKey)).toEqual(names)
      await vi.waitUntil(() => service.storedFiles().length <= names.length, { timeout: 10_000 }).catch(() => undefined)
      expect(service.storedFiles().toSorted()).toEqual(names.toSorted())
      expect(await countResultRows()).toBe(names.length)
      expect(service.simulator.jobs).toHaveLength(1)
    }

    it('an undisturbed task with several results is delivered and charged in full', async () => {
      const id = await service.submit()
      await expectDelivered(id, fileNamesOf(id))
      expect(countResultRequests()).toBe(resultCount)
    })

    it.each([1, 2])(
      'a task whose process is killed after result %i is delivered by the next process, and charged once',
      async (resultPosition) => {
        injectFault(resultPosition + 1, 'silence_before')
        const id = await service.submit()
        await vi.waitUntil(() => countResultRequests() === resultPosition + 1, { timeout: 30_000, interval: 10 })
        expect(service.storedFiles()).toHaveLength(resultPosition)
        expect((await service.store.find(id))?.results).toEqual([])
        await service.killAndRestart()
        await expectDelivered(id, fileNamesOf(id))
      },
    )

    it('a task downloads only its second file again if that download was interrupted once', async () => {
      injectFault(2, 'truncated')
      const id = await service.submit()
      await expectDelivered(id, fileNamesOf(id))
      expect(countResultRequests()).toBe(resultCount + 1)
    })

    it('a task whose second file is never usable completes with the others, and only these are charged', async () => {
      brokenUrls = /image=1$/
      const id = await service.submit()
      const [first = '', , third = ''] = fileNamesOf(id)
      await expectDelivered(id, [first, third])
    })

    it('a task with several results and no usable file fails uncharged and leaves no file', async () => {
      brokenUrls = /image=/
      const id = await service.submit()
      expect(await service.endOf(id)).toMatchObject({ status: 'failed', chargedMicroCredits: 0, results: [] })
      expect(service.storedFiles()).toEqual([])
    })

    it('a task waits while the storage fails between two results, and fetches no stored result again', async () => {
      const mediaFolder = path.join(service.folder, 'media')
      beforeFileResponse = (address) => {
        if (!address.endsWith('image=1')) return
        renameSync(mediaFolder, `${mediaFolder}.away`)
        writeFileSync(mediaFolder, '')
        beforeFileResponse = () => {}
      }
      const id = await service.submit()
      await vi.waitUntil(() => countResultRequests() > 2, { timeout: 30_000, interval: 10 })
      expect((await service.store.find(id))?.status).toBe('processing')
      rmSync(mediaFolder)
      renameSync(`${mediaFolder}.away`, mediaFolder)
      await expectDelivered(id, fileNamesOf(id))
      expect(service.simulator.of('result').filter(({ url }) => url.href.endsWith('image=0'))).toHaveLength(1)
    })

    it('a task that is cancelled between two results keeps none of them and charges nothing', async () => {
      injectFault(3, 'silence_before')
      const id = await service.submit()
      await vi.waitUntil(() => countResultRequests() === 3, { timeout: 30_000, interval: 10 })
      expect(await service.store.cancel(id)).toBe(true)
      expect(await service.endOf(id)).toMatchObject({ status: 'failed', chargedMicroCredits: 0 })
      await vi.waitUntil(() => service.storedFiles().length === 0, { timeout: 10_000 })
    })
  })
}

function fileNamesOf(id: string): string[] {
  return [`${id}.png`, `${id}-2.png`, `${id}-3.png`]
}
