/**
 * Loaded into the service of the pages by `node --import`. The service renders each image and video
 * at an eighth of its width and height, and without the scene of its prompt, because the pages show
 * commands, responses and file names, and no pixels. Videos that are generated from an input video,
 * and results whose size a page shows, keep their size. With FRAMEGATE_LONG_TESTS=1, everything is
 * rendered as requested.
 */
import { isMainThread, Worker } from 'node:worker_threads'
import { leadingImageCounts, type PlanImage } from '../../packages/renderer/src/render-plan.ts'
import type { RenderOrder } from '../../packages/renderer/src/pool/render-order.ts'

const shrinkFactor = 8
/** Prompts of results whose size a page shows. */
const promptsAtFullSize = new Set([
  'a red fox in the snow at dusk',
  'a small red robot in a meadow',
  'a small red robot with a round head, on a plain background',
])

/** A prompt without a word that the renderer knows. */
const promptWithoutScene = 'x'

if (isMainThread && process.env['FRAMEGATE_LONG_TESTS'] !== '1') {
  const { prototype } = Worker
  const postMessage: unknown = Reflect.get(prototype, 'postMessage')
  if (typeof postMessage !== 'function') throw new Error('a thread has no postMessage')
  prototype.postMessage = function (this: Worker, message: unknown, ...args: unknown[]) {
    const sentMessage = isOrder(message) ? { ...message, order: simplify(message.order) } : message
    Reflect.apply(postMessage, this, [sentMessage, ...args])
  }
}

/** Whether the message is a render order. The service also posts messages to other threads. */
function isOrder(message: unknown): message is { kind: 'order'; order: RenderOrder } {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'order'
}

/** Returns an order that is rendered in less time. */
function simplify(order: RenderOrder): RenderOrder {
  const { plan, ...rest } = canShrink(order) ? shrink(order) : order
  return { ...rest, plan: { ...plan, prompt: promptWithoutScene, negativePrompt: '' } }
}

function canShrink({ opening, plan }: RenderOrder): boolean {
  return opening === undefined && plan.given === undefined && !promptsAtFullSize.has(plan.prompt)
}

function shrink(order: RenderOrder): RenderOrder {
  const { plan } = order
  const [width, height] = [smallSide(plan.width), smallSide(plan.height)]
  // The first images, which are frames, have the size of the video. References may have any size.
  const frameCount = leadingImageCounts[plan.mode]
  const images = plan.images.map((image, index) => (index < frameCount ? shrinkImage(image) : image))
  return { ...order, plan: { ...plan, width, height, images, overlay: null } }
}

/** Returns an even number, because encoders need even sides. */
function smallSide(side: number): number {
  return 2 * Math.round(side / (2 * shrinkFactor))
}

/** Scales an image down by nearest-neighbor sampling. */
function shrinkImage({ width, height, rgba }: PlanImage): PlanImage {
  const small = { width: smallSide(width), height: smallSide(height) }
  const sourcePixels = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height)
  const targetPixels = Uint32Array.from({ length: small.width * small.height }, (_, index) => {
    const [x, y] = [index % small.width, Math.floor(index / small.width)]
    return sourcePixels[Math.floor((y * height) / small.height) * width + Math.floor((x * width) / small.width)] ?? 0
  })
  return { ...small, rgba: new Uint8Array(targetPixels.buffer) }
}
