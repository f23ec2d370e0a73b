import { expect, it } from 'vitest'
import { createUpstreamFiles, urlOrDataUri } from './upstream-files.ts'

const [storedAsset, missingAsset, largeAsset] = ['52', '53', '54'].map(
  (end) => `asset:asset_019bc186de0070009a4d2e6f8b0c3d${end}`,
) as [string, string, string]
const png = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1')
const dataUri = `data:image/png;base64,${png.toString('base64')}`
const [position, signal] = ['reference_images/1', new AbortController().signal]

/**
 * Creates the files of jobs for upstreams. `isReachable` decides whether upstreams can reach the
 * service.
 */
function filesFor(isReachable: boolean) {
  return createUpstreamFiles({
    decodeImageFile: () => Promise.reject(new Error('must not be decoded')),
    fetchUntrusted: () => Promise.reject(new Error('must not be fetched')),
    assets: {
      sizeOf: async (id) => (storedAsset.endsWith(id) ? png.byteLength : largeAsset.endsWith(id) ? 200_000_000 : undefined),
      readFile: async (id) => {
        if (largeAsset.endsWith(id)) throw new Error('must not be read')
        return storedAsset.endsWith(id) ? png : undefined
      },
      publicUrl: async (id) => (isReachable && storedAsset.endsWith(id) ? `https://media.example.com/${id}.png` : null),
    },
  })
}

it('an upstream gets an asset as a link to the service if it can reach the service, and as bytes otherwise', async () => {
  expect(await filesFor(true).publicUrl(storedAsset)).toMatch(/^https:\/\/media\.example\.com\/asset_/)
  expect(await filesFor(false).publicUrl(storedAsset)).toBeNull()
  expect(await urlOrDataUri(filesFor(true), storedAsset, position, signal)).toMatch(/^https:/)
  expect(await urlOrDataUri(filesFor(false), storedAsset, position, signal)).toBe(dataUri)
  expect(await filesFor(true).bytes(storedAsset, position, signal)).toEqual({ bytes: png, contentType: 'image/png' })
})

it('an image URL is passed on unchanged, and a data URI is passed on as bytes', async () => {
  const files = filesFor(true)
  expect(await files.publicUrl('https://example.com/a.png')).toBe('https://example.com/a.png')
  expect(await files.publicUrl(dataUri)).toBeNull()
  expect(await files.bytes(dataUri, position, signal)).toEqual({ bytes: png, contentType: 'image/png' })
})

it('the refusal of a missing asset names its position', async () => {
  const refusal = { code: 'invalid_input', message: `${position}: this asset was removed; upload it again.` }
  await expect(urlOrDataUri(filesFor(true), missingAsset, position, signal)).rejects.toMatchObject(refusal)
})

it('an asset that is too large to be sent as bytes is refused and not read', async () => {
  const refusal = { code: 'invalid_input', message: expect.stringContaining(`${position}: the file is larger than`) as string }
  await expect(filesFor(false).mediaBytes(largeAsset, position, signal)).rejects.toMatchObject(refusal)
  await expect(filesFor(false).bytes(largeAsset, position, signal)).rejects.toMatchObject(refusal)
})
