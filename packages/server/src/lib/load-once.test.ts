import { expect, it, vi } from 'vitest'
import { loadOnce } from './load-once.ts'

it('a resource is loaded at the first use, and again only after a failure', async () => {
  const load = vi.fn(async () => 'loaded').mockRejectedValueOnce(new Error('too many open files'))
  const resource = loadOnce(load)
  expect(await resource.loaded()).toBeUndefined()
  expect(load).not.toHaveBeenCalled()
  const uses = [resource.load(), resource.load()]
  expect(await resource.loaded()).toBeUndefined()
  for (const use of uses) await expect(use).rejects.toThrow('too many open files')
  expect(await Promise.all([resource.load(), resource.load()])).toEqual(['loaded', 'loaded'])
  expect(await resource.loaded()).toBe('loaded')
  expect(load).toHaveBeenCalledTimes(2)
})
