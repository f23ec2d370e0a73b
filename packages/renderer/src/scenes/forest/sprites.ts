import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas'
import { createRandom, hashText, type Random } from '../../picture/random.ts'

/**
 * A drawing that is made once and placed many times. `reach` is the distance in pixels from its
 * middle or foot to its edge.
 */
export interface Sprite {
  canvas: Canvas
  reach: number
}

/**
 * Bands of distances. All plants of a kind in a band share a few sprites. Each band has its upper
 * bound in meters and the size of its sprites in pixels at full detail.
 */
const bands = [
  { farthest: 6.5, pixels: 300 },
  { farthest: 9.5, pixels: 220 },
  { farthest: 14, pixels: 140 },
  { farthest: 21, pixels: 90 },
  { farthest: 33, pixels: 56 },
  { farthest: Number.POSITIVE_INFINITY, pixels: 32 },
] as const
const variantCount = 4

/**
 * Arguments for drawing a sprite: the distance `z` in meters for which its colors are computed, and
 * its reach in pixels.
 */
export interface SpriteSpace {
  z: number
  reach: number
  random: Random
}

export type Sprites = (
  name: string,
  z: number,
  random: Random,
  draw: (context: SKRSContext2D, space: SpriteSpace) => void,
) => Sprite

/**
 * Creates a cache of sprites. `detail` is 1 at 1080 rows. A sprite is drawn around the middle of a
 * square whose side is twice its reach, in a few variants.
 */
export function createSprites(seed: number, detail: number): Sprites {
  const cache = new Map<string, Sprite>()
  return (name, z, random, draw) => {
    const index = bands.findIndex(({ farthest }) => z < farthest)
    const band = bands[index] ?? bands[0]
    const variant = Math.floor(random() * variantCount)
    const key = `${name} ${index} ${variant}`
    const cachedSprite = cache.get(key)
    if (cachedSprite) return cachedSprite
    const reach = Math.max(8, Math.round((band.pixels * detail) / 2))
    const canvas = createCanvas(reach * 2, reach * 2)
    const context = canvas.getContext('2d')
    context.translate(reach, reach)
    const from = bands[index - 1]?.farthest ?? 4
    const middle = Number.isFinite(band.farthest) ? (from + band.farthest) / 2 : from * 1.35
    draw(context, { z: middle, reach, random: createRandom(hashText(key, seed)) })
    const sprite = { canvas, reach }
    cache.set(key, sprite)
    return sprite
  }
}

/**
 * Draws a sprite with its reach scaled to `size` pixels. `flip` mirrors it. Rotation is not
 * supported, because it would take more than twice the time.
 */
export function placeSprite(
  context: SKRSContext2D,
  { canvas, reach }: Sprite,
  { x, y, size, flip = 1 }: { x: number; y: number; size: number; flip?: 1 | -1 },
): void {
  const { width, height } = context.canvas
  if (x + size < 0 || x - size > width || y + size < 0 || y - size > height) return
  const scale = size / reach
  context.setTransform(scale * flip, 0, 0, scale, x, y)
  context.drawImage(canvas, -reach, -reach)
  context.resetTransform()
}
