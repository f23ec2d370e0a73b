// Draws samples of the embedded driver for the README and the gallery page:
//   node packages/renderer/tools/write-gallery.ts        docs/gallery.jpg, docs/gallery.md, docs/clip.webp
import { writeFileSync } from 'node:fs'
import sharp, { type OverlayOptions } from 'sharp'
import { hashText } from '../src/picture/random.ts'
import { clipPrompts, sheetMoments, sheetPrompts } from './gallery/prompts.ts'
import { planOf, renderMoments } from './gallery/render-moments.ts'

const docs = new URL('../../../docs/', import.meta.url)
const bytesMax = 1_000_000
const framesPerSecond = 24

await writeSheet()
await writeClip()
writePage()

/** Writes the sheet: two prompts per row, each at three moments of a five-second video. */
async function writeSheet(): Promise<void> {
  const cell = { width: 320, height: 180 }
  const columns = 2 * sheetMoments.length
  const gap = 4
  const frameSize = { width: 1280, height: 720 }
  const cells: OverlayOptions[] = []
  for (const prompt of sheetPrompts) {
    for (const rgb of renderMoments(planOf(prompt, frameSize, 5 * framesPerSecond, hashText(prompt)), sheetMoments)) {
      const column = cells.length % columns
      const row = Math.floor(cells.length / columns)
      const input = await sharp(rgb, { raw: { ...frameSize, channels: 3 } })
        .resize(cell)
        .png()
        .toBuffer()
      const gapWidth = column >= sheetMoments.length ? gap : 0
      cells.push({ input, left: column * cell.width + gapWidth, top: row * (cell.height + gap) })
    }
  }
  const rows = Math.ceil(cells.length / columns)
  const width = columns * cell.width + gap
  const height = rows * (cell.height + gap) - gap
  const sheet = sharp({ create: { width, height, channels: 3, background: '#ffffff' } }).composite(cells)
  await writeImage('gallery.jpg', await sheet.jpeg({ quality: 80, mozjpeg: true }).toBuffer())
}

/** Writes the clip: 1.7 seconds of each video, at half the frame rate. */
async function writeClip(): Promise<void> {
  const frameSize = { width: 1280, height: 720 }
  const size = { width: 512, height: 288 }
  const momentCount = 20
  const moments = Array.from({ length: momentCount }, (_, index) => (2 * index) / (5 * framesPerSecond - 1) + 0.3)
  const frames: Buffer[] = []
  for (const prompt of clipPrompts) {
    for (const rgb of renderMoments(planOf(prompt, frameSize, 5 * framesPerSecond, hashText(prompt)), moments)) {
      frames.push(
        await sharp(rgb, { raw: { ...frameSize, channels: 3 } })
          .resize(size)
          .raw()
          .toBuffer(),
      )
    }
  }
  const raw = { width: size.width, height: size.height * frames.length, channels: 3 as const, pageHeight: size.height }
  const delay = Math.round(2000 / framesPerSecond)
  await writeImage(
    'clip.webp',
    await sharp(Buffer.concat(frames), { raw }).webp({ quality: 74, effort: 4, loop: 0, delay }).toBuffer(),
  )
}

async function writeImage(name: string, bytes: Buffer): Promise<void> {
  if (bytes.byteLength > bytesMax) throw new Error(`${name} has ${bytes.byteLength} bytes, more than ${bytesMax}`)
  writeFileSync(new URL(name, docs), bytes)
  console.log(`docs/${name}: ${bytes.byteLength} bytes`)
}

/** Lists the prompts in the order of the sheet. */
function writePage(): void {
  const rows = sheetPrompts.map((prompt, index) => `${index + 1}. ${prompt}`)
  writeFileSync(
    new URL('gallery.md', docs),
    `# Gallery of the embedded driver

The image shows videos of thirty prompts, two in each row. Each five-second video is shown at three
moments. They were drawn on a CPU, without an AI model, a graphics card or a network. To generate
one of them yourself, run \`npx framegate generate "PROMPT"\`.
[embedded-driver.md](embedded-driver.md) lists the words that the driver recognizes.

![Videos of thirty prompts at three moments each](gallery.jpg)

${rows.join('\n')}

\`node packages/renderer/tools/write-gallery.ts\` draws this image and the clip in the README.
`,
  )
}
