// Renders prompts at several moments into one image, to review what the renderer draws, and prints
// the CPU time of each prompt:
//   node packages/renderer/tools/contact-sheet.ts sheet.png [--size 640x360] [--moments 0.1,0.9]
//     [--frames 120] [--seed 7] [--columns 2] [--negative words] [--frame first.png]
//     [--reference a.png] "a prompt" "another"
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { createFrameSource, memoryPagesFor } from '../src/picture/create-frame-source.ts'
import type { PlanImage, RenderPlan } from '../src/render-plan.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '640x360' },
    moments: { type: 'string', default: '0.5' },
    frames: { type: 'string', default: '120' },
    seed: { type: 'string', default: '7' },
    columns: { type: 'string', default: '2' },
    negative: { type: 'string', default: '' },
    frame: { type: 'string', multiple: true, default: [] },
    reference: { type: 'string', multiple: true, default: [] },
  },
})

const [output, ...prompts] = positionals
if (!output || prompts.length === 0) throw new Error('usage: contact-sheet.ts <output> [options] <prompt>...')
const [width = 640, height = 360] = values.size.split('x').map(Number)
const moments = values.moments.split(',').map(Number)
const columns = Number(values.columns)
const frames = Number(values.frames)
const modes = ['text', 'first-frame', 'first-and-last-frame'] as const

/** Reads an image. A first or last frame is cropped to the frame size. */
async function readImage(file: string, isFrame: boolean): Promise<PlanImage> {
  const source = sharp(file).ensureAlpha()
  const image = isFrame ? source.resize(width, height, { fit: 'cover' }) : source
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgba: new Uint8Array(data) }
}

const images = await Promise.all([
  ...values.frame.map((file) => readImage(file, true)),
  ...values.reference.map((file) => readImage(file, false)),
])

const cells: Buffer[] = []
for (const prompt of prompts) {
  const plan: RenderPlan = {
    width,
    height,
    frames,
    prompt,
    negativePrompt: values.negative,
    seed: Number(values.seed),
    mode: modes[values.frame.length] ?? 'first-and-last-frame',
    images,
    overlay: null,
  }
  const pages = memoryPagesFor(plan)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  const cpuBeforeSetup = process.cpuUsage()
  const source = createFrameSource(plan, memory)
  const setupMs = process.cpuUsage(cpuBeforeSetup).user / 1000
  for (const moment of moments) {
    const region = source.renderRgb(Math.round(moment * (frames - 1)))
    const raw = { width, height, channels: 3 as const }
    const rgb = Buffer.from(new Uint8Array(memory.buffer, region.byteOffset, region.byteLength))
    cells.push(await sharp(rgb, { raw }).png().toBuffer())
  }
  const measuredFrames = 20
  const cpuBeforeFrames = process.cpuUsage()
  for (let index = 0; index < measuredFrames; index++) source.renderI420(Math.round((index / measuredFrames) * (frames - 1)), 0)
  const msPerFrame = process.cpuUsage(cpuBeforeFrames).user / 1000 / measuredFrames
  console.log(`${prompt}: CPU time ${setupMs.toFixed(0)} ms for the set-up, ${msPerFrame.toFixed(1)} ms per frame`)
}

const rows = Math.ceil(cells.length / columns)
await sharp({ create: { width: width * columns, height: height * rows, channels: 3, background: '#000' } })
  .composite(cells.map((input, index) => ({ input, left: (index % columns) * width, top: Math.floor(index / columns) * height })))
  .toFile(output)
