import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { decodeVideo, psnr } from '../../renderer/test/decode-video.ts'
import { MediaStoreError } from '../src/media/media-store.ts'
import { requestOf, openRig, readTestImage, signal, small } from './embedded-rig.ts'

const rig = openRig()
afterAll(() => rig[Symbol.asyncDispose]())

const decibelsMin = 30

/** Returns the luma of a test image, in BT.709 limited range. */
async function lumaOf(name: string): Promise<Uint8Array> {
  const { rgba } = await readTestImage(name, { ...small, fit: 'cover', position: '', signal })
  return Uint8Array.from({ length: small.width * small.height }, (_, index) => {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(index * 4, index * 4 + 3)
    return Math.round(16 + ((0.2126 * red + 0.7152 * green + 0.0722 * blue) * 219) / 255)
  })
}

/** Returns the largest share of strongly red chroma samples in any frame. */
function largestRedShare(frames: Uint8Array[]): number {
  const luma = small.width * small.height
  const shares = frames.map((frame) => frame.subarray(luma * 1.25).filter((value) => value > 190).length / (luma / 4))
  return Math.max(...shares)
}

it('the first frame of a request is the beginning of its video', async () => {
  const { frames } = await decodeVideo((await rig.make(requestOf({ prompt: 'go', seconds: 1, first_frame: 'stripes' }))).bytes)
  const stripes = await lumaOf('stripes')
  const similarityToStripes = (frame: Uint8Array) => psnr(frame, stripes, stripes.length)
  expect(similarityToStripes(frames[0]!)).toBeGreaterThan(decibelsMin)
  expect(similarityToStripes(frames[23]!)).toBeLessThan(similarityToStripes(frames[0]!))
})

it('the first and the last frame of a request are the beginning and the end of its video', async () => {
  const parameters = { prompt: 'go', seconds: 2, first_frame: 'stripes', last_frame: 'rings' }
  const { frames } = await decodeVideo((await rig.make(requestOf(parameters))).bytes)
  const [stripes, rings] = [await lumaOf('stripes'), await lumaOf('rings')]
  expect(psnr(frames[0]!, stripes, stripes.length)).toBeGreaterThan(decibelsMin)
  expect(psnr(frames[47]!, rings, rings.length)).toBeGreaterThan(decibelsMin)
})

it('the last frame of a request without a first frame is the end of its video', async () => {
  const { frames } = await decodeVideo((await rig.make(requestOf({ prompt: 'go', seconds: 1, last_frame: 'rings' }))).bytes)
  const rings = await lumaOf('rings')
  expect(psnr(frames[23]!, rings, rings.length)).toBeGreaterThan(decibelsMin)
})

it('the references of a request appear between its first and its last frame', async () => {
  const parameters = { prompt: 'go', seconds: 3, first_frame: 'stripes', last_frame: 'rings', reference_images: ['red', 'red'] }
  const { frames } = await decodeVideo((await rig.make(requestOf(parameters))).bytes)
  const [stripes, rings] = [await lumaOf('stripes'), await lumaOf('rings')]
  expect(psnr(frames[0]!, stripes, stripes.length)).toBeGreaterThan(decibelsMin)
  expect(psnr(frames[71]!, rings, rings.length)).toBeGreaterThan(decibelsMin)
  expect(largestRedShare(frames)).toBeGreaterThan(0.05)
  expect(largestRedShare([frames[0]!, frames[71]!])).toBeLessThan(0.005)
})

it('the references of a request appear in its video or image', async () => {
  const [plain, red] = [{ prompt: 'a lake' }, { prompt: 'a lake', reference_images: ['red'] }]
  const videoPlain = await decodeVideo((await rig.make(requestOf({ ...plain, seconds: 1 }))).bytes)
  const videoRed = await decodeVideo((await rig.make(requestOf({ ...red, seconds: 1 }))).bytes)
  expect(largestRedShare(videoRed.frames)).toBeGreaterThan(largestRedShare(videoPlain.frames) + 0.02)

  const side = 512
  const image = await rig.make(requestOf(red, { object: 'image', size: { width: side, height: side } }))
  const pixels = await sharp(image.bytes).raw().toBuffer()
  let redPixels = 0
  for (let offset = 0; offset < pixels.length; offset += 3) if (pixels[offset]! > 180 && pixels[offset + 1]! < 80) redPixels++
  expect(redPixels / side ** 2).toBeGreaterThan(0.02)
})

it('a requested watermark changes some pixels of images and videos, but few', async () => {
  const size = { width: 512, height: 512 }
  const [plain, marked] = [
    await rig.make(requestOf({ prompt: 'a lake' }, { object: 'image', size })),
    await rig.make(requestOf({ prompt: 'a lake', watermark: true }, { object: 'image', size })),
  ]
  const [before, after] = [await sharp(plain.bytes).raw().toBuffer(), await sharp(marked.bytes).raw().toBuffer()]
  const changed = after.filter((value, index) => Math.abs(value - (before[index] ?? 0)) > 12).length / after.length
  expect(changed).toBeGreaterThan(0.0005)
  expect(changed).toBeLessThan(0.1)

  const video = await decodeVideo((await rig.make(requestOf({ prompt: 'a lake', seconds: 1 }))).bytes)
  const videoMarked = await decodeVideo((await rig.make(requestOf({ prompt: 'a lake', seconds: 1, watermark: true }))).bytes)
  const similarity = psnr(video.frames[12]!, videoMarked.frames[12]!, small.width * small.height)
  expect(similarity).toBeLessThan(48)
  expect(similarity).toBeGreaterThan(20)
})

it.each(['white', 'black'])(
  'the watermark has enough contrast on the first frame of a 480p video that begins %s',
  async (color) => {
    const { frames } = await decodeVideo(
      (await rig.make(requestOf({ prompt: 'go', seconds: 1, first_frame: color, watermark: true }))).bytes,
    )
    const corner: number[] = []
    // The area in which the name is drawn, relative to the edges of the frame.
    for (let row = small.height - 24; row < small.height - 20; row++) {
      corner.push(...frames[0]!.subarray(row * small.width + small.width - 100, row * small.width + small.width - 36))
    }
    const sortedLight = corner.sort((left, right) => left - right)
    const [plate, letters] = [
      sortedLight[Math.floor(sortedLight.length * 0.2)]!,
      sortedLight[Math.floor(sortedLight.length * 0.93)]!,
    ]
    expect(letters - plate).toBeGreaterThan(50)
  },
)

it('a render waits while the file of an asset cannot be read', async () => {
  let readCount = 0
  await using waitingRig = openRig({
    readImage: (source, options) =>
      ++readCount > 1 ? readTestImage(source, options) : Promise.reject(new MediaStoreError('unavailable', 'no response')),
  })
  await waitingRig.make(requestOf({ prompt: 'go', reference_images: ['stripes'] }, { object: 'image' }))
  expect([readCount, waitingRig.errors.length]).toEqual([2, 1])
})
