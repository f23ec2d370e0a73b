import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Task } from '@framegate/contract'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeVideo } from '../../renderer/test/decode-video.ts'
import { isLongRun } from '../src/db/store-under-test.ts'
import { startServer, type StartedServer } from './started-server.ts'

let dataDir: string
let server: StartedServer

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-scenes-'))
  server = await startServer(dataDir)
})

afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Submits a task, waits until it has completed, and downloads its result. */
async function generateResult(body: object): Promise<Buffer> {
  const submitted = await server.request('POST', '/v2/model-center/tasks', body)
  expect(submitted.status).toBe(202)
  const { id } = (await submitted.json()) as Task
  const task = (await (await server.request('GET', `/v2/model-center/tasks/${id}?wait=60`)).json()) as Task
  expect(task).toMatchObject({ status: 'completed' })
  const result = await server.fetch(task.result_url ?? '')
  return Buffer.from(await result.arrayBuffer())
}

interface Image {
  width: number
  height: number
  rgb: Buffer
}

async function renderImage(prompt: string): Promise<Image> {
  const png = await generateResult({ model: 'imgA-5.0', prompt, seed: 7, negative_prompt: 'stars, clouds, birds, mist' })
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}

/**
 * Returns the box that contains all clearly different pixels of two images, with edges from 0 to 1,
 * and the share of these pixels. Without such pixels, `left` is 1 and `right` is 0.
 */
function changedBox(first: Image, second: Image): { left: number; top: number; right: number; bottom: number; share: number } {
  const { width, height } = first
  const box = { left: 1, top: 1, right: 0, bottom: 0, share: 0 }
  for (let offset = 0; offset < first.rgb.length; offset += 3) {
    const change = Math.max(
      ...[0, 1, 2].map((channel) => Math.abs((first.rgb[offset + channel] ?? 0) - (second.rgb[offset + channel] ?? 0))),
    )
    if (change < 40) continue
    const [x, y] = [((offset / 3) % width) / width, Math.floor(offset / 3 / width) / height]
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.top = Math.min(box.top, y)
    box.bottom = Math.max(box.bottom, y)
    box.share += 1 / (width * height)
  }
  return box
}

/**
 * Counts the groups of adjacent columns with almost white pixels. Examines the rows between `top`
 * and `bottom`, which are shares of the image's height.
 */
function countWhiteGroups({ width, height, rgb }: Image, top: number, bottom: number): number {
  let [groups, wasWhite] = [0, false]
  for (let x = 0; x < width; x++) {
    let whiteCount = 0
    for (let y = Math.floor(height * top); y < height * bottom; y++) {
      const offset = (y * width + x) * 3
      if (Math.min(rgb[offset] ?? 0, rgb[offset + 1] ?? 0, rgb[offset + 2] ?? 0) > 215) whiteCount++
    }
    const isWhite = whiteCount > 2
    if (isWhite && !wasWhite) groups++
    wasWhite = isWhite
  }
  return groups
}

describe('text in quotation marks', () => {
  it.each([
    ['a title card', 'Title card: "%" over a calm sea at night'],
    ['a sign', 'a wooden sign "%" in a forest at noon'],
    ['a neon sign', 'a neon sign that says "%" in a dark alley'],
  ])('quoted text is drawn on %s, and does not change the rest of the scene', async (_form, prompt) => {
    // An anagram takes the same space.
    const [firstImage, sameImage, otherImage] = [
      await renderImage(prompt.replace('%', 'NO WAY')),
      await renderImage(prompt.replace('%', 'NO WAY')),
      await renderImage(prompt.replace('%', 'WAY NO')),
    ]
    expect(changedBox(firstImage, sameImage).share).toBe(0)
    const changed = changedBox(firstImage, otherImage)
    expect(changed.share).toBeGreaterThan(0.005)
    expect(changed.right - changed.left).toBeGreaterThan(0.3)
    expect(changed.left).toBeGreaterThan(0.05)
    expect(changed.right).toBeLessThan(0.95)
    expect(changed.bottom - changed.top).toBeLessThan(0.4)
  })

  it('a title card shows each letter of the quoted text, separated from its neighbors', async () => {
    const drawn = await renderImage('Title card: "HTLE" in a forest at night')
    expect(countWhiteGroups(drawn, 0.3, 0.5)).toBe(4)
  })

  it('a title card omits quoted text in a script without glyphs', async () => {
    const [firstImage, otherImage] = [
      await renderImage('a sign "世界" in a forest at noon'),
      await renderImage('a sign "你好" in a forest at noon'),
    ]
    expect(changedBox(firstImage, otherImage).share).toBe(0)
  })
})

describe('a video', () => {
  // The renderer's own tests cover the motion of every kind of scene.
  const otherPrompts = ['a sneaker on a pedestal, product shot', 'minimalist logo "Ember"', 'something unheard of']
  it.each(['a cup of tea on a table', ...(isLongRun ? otherPrompts : [])])(
    'a video of %j moves visibly between its seconds 0.5 and 3.5',
    async (prompt) => {
      const video = await generateResult({
        model: 'vidDq3-turbo',
        prompt,
        seconds: 4,
        resolution: '540p',
        aspect_ratio: '1:1',
        seed: 3,
      })
      const { frames } = await decodeVideo(video)
      const [earlyFrame, lateFrame] = [frames[12]!, frames[84]!]
      const pixelCount = 540 * 540
      let sum = 0
      for (let index = 0; index < pixelCount; index++) sum += Math.abs(earlyFrame[index]! - lateFrame[index]!)
      expect(sum / pixelCount).toBeGreaterThan(1.5)
    },
  )
})
