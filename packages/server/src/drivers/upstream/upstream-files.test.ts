import { expect, it } from 'vitest'
import { createUpstreamFiles, urlOrDataUri } from './upstream-files.ts'

const [keptAsset, goneAsset] = ['52', '53'].map((end) => `asset:asset_019bc186de0070009a4d2e6f8b0c3d${end}`) as [string, string]
const png = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1')
const dataUri = `data:image/png;base64,${png.toString('base64')}`
const [position, signal] = ['reference_images/1', new AbortController().signal]

/**
 * Returns the images of a service. `isReachable` decides whether upstreams can reach the service.
 */
function imagesOf(isReachable: boolean) {
  return createUpstreamFiles({
    decodeImageFile: () => Promise.reject(new Error('must not be decoded')),
    fetchUntrusted: () => Promise.reject(new Error('must not be fetched')),
    assets: {
      readFile: async (id) => (keptAsset.endsWith(id) ? png : undefined),
      publicUrl: async (id) => (isReachable && keptAsset.endsWith(id) ? `https://media.example.com/${id}.png` : null),
    },
  })
}

it('an upstream gets an asset as a link to the service if it can reach the service, and as bytes otherwise', async () => {
  expect(await imagesOf(true).publicUrl(keptAsset)).toMatch(/^https:\/\/media\.example\.com\/asset_/)
  expect(await imagesOf(false).publicUrl(keptAsset)).toBeNull()
  expect(await urlOrDataUri(imagesOf(true), keptAsset, position, signal)).toMatch(/^https:/)
  expect(await urlOrDataUri(imagesOf(false), keptAsset, position, signal)).toBe(dataUri)
  expect(await imagesOf(true).bytes(keptAsset, position, signal)).toEqual({ bytes: png, contentType: 'image/png' })
})

it('an image URL is passed on unchanged, and a data URI is passed on as bytes', async () => {
  const images = imagesOf(true)
  expect(await images.publicUrl('https://example.com/a.png')).toBe('https://example.com/a.png')
  expect(await images.publicUrl(dataUri)).toBeNull()
  expect(await images.bytes(dataUri, position, signal)).toEqual({ bytes: png, contentType: 'image/png' })
})

it('the refusal of a missing asset names its position', async () => {
  const refusal = { code: 'invalid_input', message: `${position}: this asset is no longer kept; upload it again.` }
  await expect(urlOrDataUri(imagesOf(true), goneAsset, position, signal)).rejects.toMatchObject(refusal)
})
