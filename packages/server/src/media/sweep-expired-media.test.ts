import { describe, expect, it } from 'vitest'
import { sweepExpiredMedia } from './sweep-expired-media.ts'

function expiredMedia(count: number) {
  const files = new Set(Array.from({ length: count }, (_, i) => `task_${i}.mp4`))
  const unmarked = [...files]
  const marks: string[][] = []
  return {
    files,
    unmarked,
    marks,
    list: async (limit: number, skipCount: number) =>
      unmarked.slice(skipCount, skipCount + limit).map((objectKey) => ({ objectKey })),
    markRemoved: async (results: { objectKey: string }[]) => {
      const objectKeys = results.map(({ objectKey }) => objectKey)
      // If a file were marked while it still exists, it would never be removed.
      for (const objectKey of objectKeys) expect(files.has(objectKey)).toBe(false)
      marks.push(objectKeys)
      for (const objectKey of objectKeys) unmarked.splice(unmarked.indexOf(objectKey), 1)
    },
    remove: async ({ objectKey }: { objectKey: string }) => {
      files.delete(objectKey)
    },
    signal: new AbortController().signal,
  }
}

describe('the sweep of expired media', () => {
  it('the sweep removes all expired files in batches and then marks them', async () => {
    const media = expiredMedia(25)
    expect(await sweepExpiredMedia({ ...media, batchSize: 10 })).toBe(25)
    expect(media.files.size).toBe(0)
    expect(media.marks.map((mark) => mark.length)).toEqual([10, 10, 5])
  })

  it('the sweep removes no file if none has expired', async () => {
    expect(await sweepExpiredMedia(expiredMedia(0))).toBe(0)
  })

  it('the sweep marks files that were removed before a crash and not marked', async () => {
    const media = expiredMedia(3)
    media.files.clear()
    expect(await sweepExpiredMedia(media)).toBe(3)
    expect(media.unmarked).toEqual([])
  })

  it('the sweep continues after a file that cannot be removed, and reports the file', async () => {
    const media = expiredMedia(5)
    const remove = async ({ objectKey }: { objectKey: string }) => {
      if (objectKey === 'task_1.mp4') throw new Error('the folder is read-only')
      await media.remove({ objectKey })
    }
    await expect(sweepExpiredMedia({ ...media, remove, batchSize: 3 })).rejects.toMatchObject({
      message: '1 expired files cannot be removed',
      errors: [{ message: 'the folder is read-only' }],
    })
    expect(media.unmarked).toEqual(['task_1.mp4'])
  })

  it('the sweep ends after a batch of which no file can be removed', async () => {
    const media = expiredMedia(20)
    let tries = 0
    const remove = async () => {
      tries += 1
      throw new Error('the bucket is locked')
    }
    await expect(sweepExpiredMedia({ ...media, remove, batchSize: 3 })).rejects.toMatchObject({
      message: '3 expired files cannot be removed',
    })
    expect(tries).toBe(3)
  })

  it('if more files than fit in a batch cannot be removed, sweeps remove all others and try these again later', async () => {
    const media = expiredMedia(20)
    const position = { skipCount: 0 }
    let isLocked = true
    const remove = async ({ objectKey }: { objectKey: string }) => {
      if (isLocked && Number(/\d+/.exec(objectKey)?.[0]) < 7) throw new Error('the file is locked')
      await media.remove({ objectKey })
    }
    const sweep = () => sweepExpiredMedia({ ...media, remove, position, batchSize: 3 })
    for (let i = 0; i < 3; i++) await expect(sweep()).rejects.toThrow('expired files cannot be removed')
    expect(media.unmarked).toEqual(Array.from({ length: 7 }, (_, i) => `task_${i}.mp4`))
    isLocked = false
    expect(await sweep()).toBe(7)
    expect(media.unmarked).toEqual([])
  })

  it('the sweep stops between two files when aborted, with every removed file marked', async () => {
    const media = expiredMedia(5)
    const stop = new AbortController()
    const remove = async ({ objectKey }: { objectKey: string }) => {
      await media.remove({ objectKey })
      if (objectKey === 'task_1.mp4') stop.abort()
    }
    expect(await sweepExpiredMedia({ ...media, remove, signal: stop.signal, batchSize: 2 })).toBe(2)
    expect(media.unmarked).toEqual(['task_2.mp4', 'task_3.mp4', 'task_4.mp4'])
  })

  it('the sweep ends even if marking files as removed has no effect', async () => {
    const media = expiredMedia(2)
    expect(await sweepExpiredMedia({ ...media, markRemoved: async () => {}, batchSize: 2 })).toBe(2000)
  })
})
