import { forEachStripe } from '../../picture/pyramid.ts'
import type { Level } from '../../picture/level.ts'
import { createRandom } from '../../picture/random.ts'
import type { Moment, Painter, Stage } from '../stage.ts'
import { paintGlow } from './glow.ts'
import { createGrade } from './grade.ts'
import { createTile, makePaper } from './paper.ts'

// Stronger grain, or new grain in each frame, would double the time to encode a video.
/** Strength of the grain, in code values. */
const grainStrength = 3.6
/** Number of frames after which the grain changes. */
const framesPerGrain = 2

/**
 * Imitates color film: teal shadows and warm lights, red halation around bright areas, changing
 * grain, and a frame that moves slightly, as in a projector.
 */
export function paintFilm(stage: Stage): Painter {
  const { compositor } = stage
  const gradeRows = createGrade(stage, {
    contrast: 0.55,
    gain: 0.9,
    lift: 0.045,
    saturation: 0.88,
    shadows: [5, -5],
    lights: [-9, 5],
    vignette: 0.3,
    grain: 0,
  })
  compositor.setFinish({ vignette: 0.3, dither: grainStrength, tile: createGrainTile(stage) })
  const halation = paintGlow(stage, {
    threshold: 196,
    colorWeight: 0,
    keptShare: 0.3,
    tint: [-0.2, 0.36],
    strength: 0.3,
    spread: 0.8,
  })
  const frame = compositor.level('y')
  const chroma = [compositor.level('u'), compositor.level('v')]
  return (moment) => {
    const { x, y } = weaveOffset(moment, stage.toPixels(1))
    forEachStripe(frame, (rowFirst, rowEnd) => {
      weaveRows(stage, frame, { x, y }, rowFirst, rowEnd)
      for (const plane of chroma) weaveRows(stage, plane, { x: x / 2, y: y / 2 }, rowFirst >> 1, rowEnd >> 1)
      gradeRows(rowFirst, rowEnd)
    })
    halation(moment)
    const grainRandom = createRandom(Math.floor((moment.seconds * 24) / framesPerGrain + 0.01))
    compositor.grainOffset = { x: Math.floor(grainRandom() * 256), y: Math.floor(grainRandom() * 256) }
  }
}

/**
 * Returns the offset of the frame in the gate of a projector, which changes slowly. `pixel` is the
 * size of a pixel at 1080 rows.
 */
function weaveOffset({ seconds }: Moment, pixel: number): { x: number; y: number } {
  return {
    x: pixel * (0.9 + 0.5 * Math.sin(seconds * 2.3) + 0.35 * Math.sin(seconds * 5.9 + 1)),
    y: pixel * (0.9 + 0.45 * Math.sin(seconds * 1.7 + 2) + 0.4 * Math.sin(seconds * 7.1)),
  }
}

function weaveRows(stage: Stage, plane: Level, { x, y }: { x: number; y: number }, rowFirst: number, rowEnd: number): void {
  const { address, strideBytes, columns, rows } = plane
  const wholePixels = [Math.floor(x), Math.floor(y)] as const
  stage.compositor.kernels.weavePlane(
    address,
    strideBytes,
    columns,
    rows,
    rowFirst,
    rowEnd,
    ...wholePixels,
    fractionOf(x),
    fractionOf(y),
  )
}

function fractionOf(position: number): number {
  return Math.floor((position - Math.floor(position)) * 32_767)
}

/**
 * Stores a tile of grain, whose clumps are slightly larger than a pixel, and returns its address.
 */
function createGrainTile(stage: Stage): number {
  const grains = makePaper(stage.random('grain'), Math.max(1, stage.toPixels(1)))
  return createTile(stage.compositor, (x, y) => grains.heightAt(x, y))
}
